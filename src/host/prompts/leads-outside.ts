import { realpath } from "node:fs/promises";
import { innermost } from "../inside.ts";

/**
 * Whether a file, by its path one of the open folders, is by a link on that path one of none of them: its name would hide
 * that its text comes from elsewhere. One that is not there leads nowhere, and one outside by its path says so itself.
 */
export async function outsideOf(folders: readonly string[]): Promise<(file: string) => Promise<boolean>> {
  const real = await Promise.all(folders.map((folder) => realpath(folder).catch(() => folder)));
  return async (file) => {
    if (!innermost(folders, file)) return false;
    const found = await realpath(file).catch(() => undefined);
    return found !== undefined && !innermost(real, found);
  };
}
