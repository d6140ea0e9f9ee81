import { listFiles, PackageManager } from "@vscode/vsce";
import { rmSync } from "node:fs";
import { cp, mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { outDir, root } from "../paths.ts";

let staged: Promise<string> | undefined;

/**
 * A folder with what a VSIX of the built extension would hold, and nothing else. Made once a process, which takes it away
 * at its end: loading vsce takes seconds.
 */
export function stagedExtension(): Promise<string> {
  staged ??= stage(path.join(outDir, `extension-${process.pid}`));
  return staged;
}

async function stage(target: string): Promise<string> {
  await rm(target, { recursive: true, force: true });
  process.once("exit", () => rmSync(target, { recursive: true, force: true }));
  for (const file of await listFiles({ cwd: root, packageManager: PackageManager.None })) {
    const to = path.join(target, file);
    await mkdir(path.dirname(to), { recursive: true });
    await cp(path.join(root, file), to);
  }
  return target;
}
