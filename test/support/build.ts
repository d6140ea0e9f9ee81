import { spawnSync } from "node:child_process";
import path from "node:path";
import { root } from "./paths.ts";

/** Builds the bundles with their sizes printed; false when that failed, with the reason printed. */
export function buildExtension(...options: readonly "--production"[]): boolean {
  const command = [path.join(root, "esbuild.mjs"), ...options];
  const done = spawnSync(process.execPath, command, { cwd: root, stdio: "inherit" });
  return done.status === 0;
}
