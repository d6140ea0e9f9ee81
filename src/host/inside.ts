import { isAbsolute, relative, sep } from "node:path";

/** The way from a folder to what lies in it, with `/`, empty for the folder itself; `undefined` for what lies elsewhere. */
export function wayInto(folder: string, path: string): string | undefined {
  const way = relative(folder, path);
  // A name may begin with two dots; only the two alone climb.
  if (way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way)) return undefined;
  return way.split(sep).join("/");
}

/** The innermost of the folders that something lies in, for folders may lie within others, and the way to it from there. */
export function innermost(
  folders: readonly string[],
  path: string,
): { readonly folder: string; readonly way: string } | undefined {
  return folders
    .flatMap((folder) => {
      const way = wayInto(folder, path);
      return way === undefined || way === "" ? [] : [{ folder, way }];
    })
    .sort((a, b) => a.way.length - b.way.length)[0];
}
