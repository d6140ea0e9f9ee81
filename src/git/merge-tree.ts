import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { bytesOf, records, textOf } from "./entries.ts";
import type { PathKey } from "./entries.ts";
import { GitError } from "./git-error.ts";
import { isOid } from "./refs.ts";
import type { GitRunner } from "./runner.ts";
import { endError } from "./runner.ts";

export type MergeAnswer =
  | { readonly kind: "clean"; readonly tree: string }
  | { readonly kind: "conflict"; readonly files: readonly string[]; readonly kinds: readonly string[] };

/** Merges two commits into a tree without a working tree. Rejects with a `GitError` where git cannot tell. */
export async function mergeTree(
  git: GitRunner,
  place: MergePlace,
  ours: string,
  theirs: string,
  signal?: AbortSignal,
): Promise<MergeAnswer> {
  const args = ["merge-tree", "--write-tree", "-z", "--name-only", ours, theirs];
  const end = await git.run(place.cwd, args, { env: place.env, ...(signal ? { signal } : {}) });
  const [tree, ...rest] = [...records(end.stdout)].map((record) => record.toString("latin1"));
  if (tree === undefined || !isOid(tree) || (end.exitCode !== 0 && end.exitCode !== 1))
    throw mergeError(args, end);
  if (end.exitCode === 0) return { kind: "clean", tree };
  // An empty record parts the files from the messages.
  const border = rest.indexOf("");
  const files = rest.slice(0, border < 0 ? rest.length : border);
  return {
    kind: "conflict",
    files: [...new Set(files)].map(textOf),
    kinds: conflictKinds(border < 0 ? [] : rest.slice(border + 1)),
  };
}

/** Each message: a count, that many paths, a stable type, a text. */
function conflictKinds(messages: readonly string[]): readonly string[] {
  const kinds = new Set<string>();
  for (let at = 0; at < messages.length;) {
    const count = Number(messages[at]);
    if (!Number.isInteger(count)) break;
    const type = messages[at + 1 + count];
    if (type?.startsWith("CONFLICT")) kinds.add(type);
    at += count + 3;
  }
  return [...kinds];
}

function mergeError(args: readonly string[], end: Parameters<typeof endError>[1]): GitError {
  const said = end.stderr.trim();
  if (said.includes("unrelated histories")) {
    return new GitError(
      "unrelated",
      "the branches have no common history; in a shallow clone, deepen it first (git fetch --unshallow)",
      said,
    );
  }
  if (/unable to read|promisor|could not fetch|missing blob/i.test(said)) {
    return new GitError(
      "missing-objects",
      `objects are missing in this partial clone and could not be fetched: ${said}`,
      said,
    );
  }
  if (/usage: git merge-tree|unknown option/.test(said)) {
    return new GitError("old-git", "merging without a checkout needs git 2.38 or newer", said);
  }
  return endError(args, end);
}

/** Where to run merge-tree, so that attributes and drivers are those of the target. */
export interface MergePlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * merge-tree reads `.gitattributes` from the working tree only (git before 2.43), so a target that is checked out
 * nowhere gets a working tree of just its attribute files, with an index that has none.
 */
export async function withTargetAttributes<T>(
  git: GitRunner,
  commonDir: string,
  target: string,
  checkedOutIn: string | undefined,
  use: (place: MergePlace) => Promise<T>,
): Promise<T> {
  if (checkedOutIn !== undefined) return use({ cwd: checkedOutIn, env: {} });
  const folder = await mkdtemp(join(tmpdir(), "batch-control-attributes-"));
  try {
    for (const { path, oid } of await attributeFiles(git, commonDir, target)) {
      const file = join(folder, bytesOf(path).toString("utf8"));
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, await git.must(commonDir, ["cat-file", "blob", oid]));
    }
    return await use({
      cwd: folder,
      env: { GIT_DIR: commonDir, GIT_WORK_TREE: folder, GIT_INDEX_FILE: join(folder, ".no-index") },
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function attributeFiles(
  git: GitRunner,
  cwd: string,
  commit: string,
): Promise<readonly { path: PathKey; oid: string }[]> {
  const output = await git.must(cwd, ["ls-tree", "-r", "-z", "--full-tree", commit]);
  const files: { path: PathKey; oid: string }[] = [];
  for (const record of records(output)) {
    const line = record.toString("latin1");
    const tab = line.indexOf("\t");
    const path = line.slice(tab + 1);
    if (path !== ".gitattributes" && !path.endsWith("/.gitattributes")) continue;
    const [mode, , oid] = line.slice(0, tab).split(" ");
    if (oid !== undefined && (mode === "100644" || mode === "100755")) files.push({ path, oid });
  }
  return files;
}
