import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { isGitFolder } from "../../git/index.ts";
import { followLinks } from "./follow-links.ts";
import type { Obstacle } from "./follow-links.ts";
import { isVisible } from "./visible-name.ts";

/** Why a path that an answer names is not written to. */
export type PathRefusal =
  "empty" | "absolute" | "climbs" | "invisible" | "no-folder" | "ambiguous" | Obstacle;

export type SafePath =
  /** No part of `path` below `root` is a link, so that one file has one path. */
  | { readonly kind: "inside"; readonly root: string; readonly path: string }
  | { readonly kind: "refused"; readonly reason: PathRefusal };

const refused = (reason: PathRefusal): SafePath => ({ kind: "refused", reason });

/**
 * The file that a relative path of an answer means within the open folders, `preferred` (one of them) before the others.
 * Nothing outside them is ever meant, and nothing of git's own: not by `..`, an absolute path, or a symbolic link on the way.
 */
export async function resolveInside(
  path: string,
  folders: readonly string[],
  preferred?: string,
): Promise<SafePath> {
  const clean = path.replaceAll("\\", "/").replace(/^(?:\.\/+)+/, "");
  if (clean === "" || clean.includes("\0")) return refused("empty");
  if (/^(?:\/|~|[a-z]:)/i.test(clean)) return refused("absolute");
  const segments = clean.split("/");
  if (segments.includes("..")) return refused("climbs");
  if (segments.some(isGitFolder)) return refused("git-folder");
  if (!isVisible(clean)) return refused("invisible");
  const root = await rootOf(clean, folders, preferred);
  if (typeof root !== "object") return refused(root);
  if (clean.endsWith("/")) return refused("folder");
  const found = await followLinks(root.folder, root.path);
  return typeof found === "string"
    ? refused(found)
    : { kind: "inside", root: root.folder, path: join(root.folder, found.way) };
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

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
