import path from "node:path";

/** The checkout: also the extension under development. */
export const root = path.resolve(import.meta.dirname, "../..");
/** What lanes write: bundles, totals, evidence of failed tests. */
export const outDir = path.join(root, "out", "test");
/** Downloads that outlive a run. */
export const cacheDir = path.join(root, ".vscode-test");
