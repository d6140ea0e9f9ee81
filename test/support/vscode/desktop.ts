import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { findOnPath } from "./chromium.ts";

/**
 * The program of an installed desktop VS Code: the one that VSCODE_PATH names, else the one behind `code`. Undefined where
 * there is none, or no display to show it on. Throws when VSCODE_PATH names nothing.
 */
export function findDesktop(): string | undefined {
  const named = process.env["VSCODE_PATH"];
  if (named) {
    if (!existsSync(named)) throw new Error(`VSCODE_PATH names ${named}, which does not exist.`);
    return named;
  }
  switch (process.platform) {
    case "linux":
      return process.env["DISPLAY"] || process.env["WAYLAND_DISPLAY"] ? besideCommand() : undefined;
    case "darwin":
      return first("/Applications/Visual Studio Code.app/Contents/MacOS/Electron");
    case "win32":
      return first(path.join(process.env["LOCALAPPDATA"] ?? "", "Programs", "Microsoft VS Code", "Code.exe"));
    default:
      return undefined;
  }
}

/** `…/bin/code` is a script beside the program; in a remote window's terminal it is one that has no program. */
function besideCommand(): string | undefined {
  const command = findOnPath(["code"]);
  return command === undefined
    ? undefined
    : first(path.join(path.dirname(realpathSync(command)), "..", "code"));
}

function first(file: string): string | undefined {
  return existsSync(file) ? file : undefined;
}
