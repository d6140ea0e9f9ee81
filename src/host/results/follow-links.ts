import { lstat, realpath, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { isGitFolder } from "../../git/index.ts";
import { wayInto } from "../inside.ts";

/** Why what a path leads to is not written to. */
export type Obstacle = "git-folder" | "outside" | "too-long" | "unreachable" | "through-file" | "folder";

/**
 * Where a path below a folder leads to: the way from the folder to the file there, with no link on it. Links are followed as
 * far as the path exists; what does not exist yet cannot lead elsewhere.
 */
export async function followLinks(root: string, path: string): Promise<Obstacle | { readonly way: string }> {
  const real = await realpath(root).catch(() => undefined);
  if (real === undefined) return "unreachable";
  const target = join(root, path);
  for (let at = target; ; at = dirname(at)) {
    const found = await realpath(at).catch(whyNot);
    switch (found) {
      case "absent":
        // A link to nothing yet: writing to it would make a file where it points.
        if (await isLink(at)) return "outside";
        continue;
      case "too-long":
      case "unreachable":
        return found;
    }
    const obstacle = await obstacleAt(found, real, at === target);
    return obstacle ?? { way: join(relative(real, found), relative(at, target)) };
  }
}

async function obstacleAt(found: string, root: string, isTarget: boolean): Promise<Obstacle | undefined> {
  const way = wayInto(root, found);
  if (way === undefined) return "outside";
  if (way.split("/").some(isGitFolder)) return "git-folder";
  const isFolder = (await stat(found)).isDirectory();
  if (isTarget && isFolder) return "folder";
  if (!isTarget && !isFolder) return "through-file";
  for (let folder = isFolder ? found : dirname(found); ; folder = dirname(folder)) {
    if (await isGitStore(folder)) return "git-folder";
    if (folder === root) return undefined;
  }
}

/** A git directory by another name, such as a bare repository, as git tells it: https://git-scm.com/docs/gitrepository-layout */
async function isGitStore(folder: string): Promise<boolean> {
  const parts = await Promise.all(["HEAD", "objects", "refs"].map((name) => isThere(join(folder, name))));
  return parts.every(Boolean);
}

/** A parent may be a file, so that nothing is there. */
function whyNot(error: unknown): "absent" | "too-long" | "unreachable" {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      return "absent";
    case "ENAMETOOLONG":
      return "too-long";
    default:
      return "unreachable";
  }
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );
const isLink = (path: string): Promise<boolean> =>
  lstat(path).then(
    (info) => info.isSymbolicLink(),
    () => false,
  );
