import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { cacheDir } from "../paths.ts";

const version = "4.139.1";
const home = path.join(cacheDir, `code-server-${version}`);

/** The npm package `code-server`, which holds the server build of VS Code in `lib/vscode`. */
export const codeServerDir = path.join(home, "node_modules", "code-server");

/**
 * Puts the server build into the cache. The folder gets its name only when it is complete, so one that is there is whole,
 * whatever interrupted an earlier set-up.
 */
export async function ensureCodeServer(): Promise<void> {
  if (existsSync(home)) return;
  console.log(
    `Installing VS Code's server build (code-server ${version}) into ${path.relative(process.cwd(), cacheDir)}…`,
  );
  await mkdir(cacheDir, { recursive: true });
  const part = await mkdtemp(path.join(cacheDir, "part-"));
  try {
    await writeFile(path.join(part, "package.json"), JSON.stringify({ private: true }));
    await npmInstall(part, [`code-server@${version}`]);
    await npmInstall(path.join(part, "node_modules", "code-server", "lib", "vscode"), ["--omit=dev"]);
    await rename(part, home);
  } catch (error) {
    // Another run may have put it there meanwhile; then its folder is as good.
    if (!existsSync(home)) throw error;
  } finally {
    await rm(part, { recursive: true, force: true });
  }
}

/** No scripts: the native modules they would build are not needed, and neither is a compiler then. */
async function npmInstall(cwd: string, args: readonly string[]): Promise<void> {
  const all = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", ...args];
  const shell = process.platform === "win32";
  try {
    await promisify(execFile)("npm", all, { cwd, shell, maxBuffer: 64 * 1024 * 1024 });
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`npm ${all.join(" ")} failed in ${cwd}:\n${stdout}${stderr}`, { cause: error });
  }
}
