import { lstat, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { isGitFolder } from "../../git/index.ts";

/** Why a path that an answer names is not written to. */
export type PathRefusal =
  | "empty"
  | "absolute"
  | "climbs"
  | "git-folder"
  | "outside"
  | "through-file"
  | "folder"
  | "no-folder"
  | "ambiguous";

export type SafePath =
  | { readonly kind: "inside"; readonly root: string; readonly path: string }
  | { readonly kind: "refused"; readonly reason: PathRefusal };

const refused = (reason: PathRefusal): SafePath => ({ kind: "refused", reason });

/**
 * The file that a relative path of an answer means within the open folders, `preferred` (one of them) before the others.
 * Nothing outside them is ever meant: not by `..`, an absolute path, or a symbolic link on the way.
 */
export async function resolveInside(
  path: string,
  folders: readonly string[],
  preferred?: string,
): Promise<SafePath> {
  const clean = path.replaceAll("\\", "/").replace(/^(?:\.\/)+/, "");
  if (clean === "" || clean.includes("\0")) return refused("empty");
  if (/^(?:\/|~|[a-z]:)/i.test(clean)) return refused("absolute");
  const segments = clean.split("/");
  if (segments.includes("..")) return refused("climbs");
  if (segments.some(isGitFolder)) return refused("git-folder");
  const root = await rootOf(clean, folders, preferred);
  if (typeof root !== "object") return refused(root);
  const target = join(root.folder, root.path);
  const obstacle = clean.endsWith("/") ? "folder" : await obstacleTo(target, root.folder);
  return obstacle === undefined ? { kind: "inside", root: root.folder, path: target } : refused(obstacle);
}

interface Root {
  readonly folder: string;
  readonly path: string;
}

async function rootOf(
  path: string,
  folders: readonly string[],
  preferred: string | undefined,
): Promise<Root | "no-folder" | "ambiguous"> {
  const [only, ...more] = folders;
  if (only === undefined) return "no-folder";
  if (preferred !== undefined) return { folder: preferred, path };
  if (more.length === 0) return { folder: only, path };
  const named = folders.filter((folder) => path.startsWith(`${basename(folder)}/`));
  const [byName] = named;
  if (byName !== undefined && named.length === 1)
    return { folder: byName, path: path.slice(basename(byName).length + 1) };
  const holding: string[] = [];
  for (const folder of folders) if (await exists(join(folder, path))) holding.push(folder);
  const [holder] = holding;
  return holder !== undefined && holding.length === 1 ? { folder: holder, path } : "ambiguous";
}

/** Links are followed as far as the path exists; what does not exist yet cannot lead elsewhere. */
async function obstacleTo(target: string, root: string): Promise<PathRefusal | undefined> {
  const real = await realpath(root).catch(() => undefined);
  if (real === undefined) return "outside";
  for (let at = target; ; at = dirname(at)) {
    const found = await realpath(at).catch((error: unknown) => (isAbsent(error) ? undefined : null));
    if (found === null) return "outside";
    if (found !== undefined) {
      const way = relative(real, found);
      if (way === ".." || way.startsWith(`..${sep}`) || way.startsWith(sep)) return "outside";
      const isFolder = (await stat(found)).isDirectory();
      if (at === target) return isFolder ? "folder" : undefined;
      return isFolder ? undefined : "through-file";
    }
    if (await isLink(at)) return "outside";
  }
}

/** Nothing is there, or a parent is a file. */
const isAbsent = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
/** A link to nothing yet: writing to it would make a file where it points. */
const isLink = (path: string): Promise<boolean> =>
  lstat(path).then(
    (info) => info.isSymbolicLink(),
    () => false,
  );
