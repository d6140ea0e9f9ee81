import { sep } from "node:path";
import { innermost } from "./inside.ts";

/**
 * How a person tells a file from every other one of this window: relative to its folder, with `/`, and with the folder in
 * front where several are open. Folders of one name have as many of their parents' names in front as it takes.
 */
export function nameIn(folders: readonly string[], path: string): string {
  const inside = innermost(folders, path);
  if (!inside) return path;
  return folders.length === 1 ? inside.way : `${shortest(inside.folder, folders)}/${inside.way}`;
}

function shortest(folder: string, folders: readonly string[]): string {
  const parts = folder.split(sep);
  for (let length = 1; length < parts.length; length += 1) {
    const tail = parts.slice(-length);
    const alike = folders.filter((other) => other.split(sep).slice(-length).join() === tail.join());
    if (alike.length === 1) return tail.join("/");
  }
  return folder;
}
