import { spawnSync } from "node:child_process";
import path from "node:path";
import { root } from "./paths.ts";

/** Builds the bundles with their sizes printed; false when that failed, with the reason printed. */
export function buildExtension(): boolean {
  const done = spawnSync(process.execPath, [path.join(root, "esbuild.mjs")], { cwd: root, stdio: "inherit" });
  return done.status === 0;
}
