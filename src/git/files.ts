import { lstat, readlink } from "node:fs/promises";
import { existsSync, realpathSync } from "node:fs";
import type { PathLike, Stats } from "node:fs";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { InputError } from "../core/errors.ts";

/** One name for all paths into one worktree, so that what is asked of it keeps its order. A path that leads to none stays. */
export function placeOf(path: string): string {
  try {
    const real = realpathSync(path);
    if (real.split(sep).includes(".git")) return path;
    for (let folder = real; ; folder = dirname(folder)) {
      if (existsSync(join(folder, ".git"))) return folder;
      if (folder === dirname(folder)) return path;
    }
  } catch {
    return path;
  }
}

/** What is on disk at a path of a worktree, links not followed. */
export type OnDisk =
  | { readonly kind: "file"; readonly executable: boolean }
  | { readonly kind: "link"; readonly text: Buffer }
  | { readonly kind: "folder" }
  /** Nothing there, or a parent is a file. */
  | { readonly kind: "absent" }
  /** A parent is a symbolic link. */
  | { readonly kind: "behind-link"; readonly link: string }
  | { readonly kind: "special" };

const MAX_PATH_BYTES = 4095;
const LONG = 200;
const KEPT = 80;
/** What would move the cursor, end the line or turn the direction of a text: Unicode's Cc, Zl, Zp and the bidirectional controls. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** For messages: control characters and quotes made visible, overlong text cut. */
export const shown = (name: string): string => {
  const text =
    name.length > LONG
      ? `${name
          .slice(0, KEPT)
          .toWellFormed()
          .replace(/\ufffd$/, "")}…`
      : name;
  if (!/["\\]/.test(text) && text.search(unprintable) < 0) return text;
  return JSON.stringify(text).replace(
    unprintable,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
};

/** The path relative to the worktree with `/`, or an `InputError` on `files`. */
export function relativePath(
  topLevel: string,
  aliases: readonly string[],
  file: string,
  field: string,
): string {
  const refuse = (why: string): never => {
    throw new InputError(field, `${shown(file)} ${why}`);
  };
  if (file.includes("\0")) refuse("contains a NUL character; name a file that is there");
  if (!file.isWellFormed()) refuse("contains half of a surrogate pair; name a file that is there");
  if (Buffer.byteLength(file) > MAX_PATH_BYTES)
    refuse(`is longer than ${MAX_PATH_BYTES} bytes; name a file that is there`);
  const inside = isAbsolute(file)
    ? relativeToAny([topLevel, ...aliases], file)
    : sep === "\\"
      ? file.replaceAll("\\", "/")
      : file;
  if (inside === undefined) return refuse(`is outside the worktree; name files inside ${topLevel}`);
  const parts = inside.split("/").filter((part, index) => !(part === "." && index === 0));
  if (parts.length === 0 || inside === "") refuse("is the worktree itself; name files");
  if (parts.includes("..")) refuse(`may not contain ..; name files inside ${topLevel}`);
  if (parts.some((part) => part === "" || part === "."))
    refuse("is not a plain file path; name a file as git lists it");
  if (parts.some((part) => isGitFolder(part))) refuse("lies in a .git folder; name files of the worktree");
  return parts.join("/");
}

/** `.git` in any case, as git refuses it (also NTFS and HFS+ spellings). */
export const isGitFolder = (part: string): boolean =>
  /^(\.git|git~1)[. ]*(:.*)?$/i.test(part.replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, ""));

function relativeToAny(bases: readonly string[], file: string): string | undefined {
  for (const base of bases) {
    const inside = relative(base, file);
    if (inside !== ".." && !inside.startsWith(`..${sep}`) && !isAbsolute(inside))
      return inside.split(sep).join("/");
  }
  return undefined;
}

/**
 * `checkedParents` remembers folders that were found to be real ones; share it over the files of one request. `place`: where
 * a path, or the beginning of one, is.
 */
export async function onDisk(
  topLevel: string,
  path: string,
  checkedParents: Set<string>,
  place = (part: string): PathLike => join(topLevel, part),
): Promise<OnDisk> {
  const parts = path.split("/");
  for (let depth = 1; depth < parts.length; depth += 1) {
    const parent = parts.slice(0, depth).join("/");
    if (checkedParents.has(parent)) continue;
    const stats = await statOf(place(parent));
    if (!stats || (!stats.isDirectory() && !stats.isSymbolicLink())) return { kind: "absent" };
    if (stats.isSymbolicLink()) return { kind: "behind-link", link: parent };
    checkedParents.add(parent);
  }
  const full = place(path);
  const stats = await statOf(full);
  if (!stats) return { kind: "absent" };
  if (stats.isFile()) return { kind: "file", executable: (stats.mode & 0o100) !== 0 };
  if (stats.isSymbolicLink()) return { kind: "link", text: await readlink(full, "buffer") };
  return { kind: stats.isDirectory() ? "folder" : "special" };
}

/** The repository below the worktree that a path lies in, as its folder, and whether that is a submodule's. */
export async function nestedRepository(
  topLevel: string,
  path: string,
): Promise<{ readonly folder: string; readonly submodule: boolean } | undefined> {
  for (let at = path.indexOf("/"); at > 0; at = path.indexOf("/", at + 1)) {
    const folder = path.slice(0, at);
    const found = await statOf(join(topLevel, folder, ".git"));
    // Git writes a submodule's as a file that says where the git dir is.
    if (found) return { folder, submodule: found.isFile() };
  }
  return undefined;
}

async function statOf(path: PathLike): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG") return undefined;
    throw error;
  }
}
