import type { StoredOperation } from "../core/operation.ts";
import type { Result } from "../core/result.ts";
import { parseRawDiff, SUBMODULE, textOf } from "./entries.ts";
import type { Entry } from "./entries.ts";
import { orUndefined, parsePayload, pathOf } from "./payload.ts";
import { isZero } from "./refs.ts";
import { commonDirOf } from "./repository.ts";
import type { GitRunner } from "./runner.ts";

/** One file that an operation changes; `undefined` where it does not exist before or after. */
export interface FileChange {
  /** Relative to the worktree, with `/`. */
  readonly path: string;
  readonly before: Entry | undefined;
  readonly after: Entry | undefined;
}

/** Of a file: its mode and the id of its content. */
export type FileVersion = Entry;

/**
 * What a commit or a merge changed, or, as long as a commit is not made, what was pinned for it; nothing for what has
 * changed no files so far. Rejects with `GitError` where git no longer has it.
 */
export async function fileChanges(
  git: GitRunner,
  operation: StoredOperation,
  result: Result | undefined,
): Promise<readonly FileChange[]> {
  const payload = parsePayload(operation.payload);
  const [made] = payload.kind === "push" ? [] : (result?.refs ?? []);
  if (made) return between(git, commonDirOf(operation.group), made.old, made.new);
  if (payload.kind === "commit")
    return payload.changes.map((change) => ({
      path: textOf(pathOf(change)),
      before: orUndefined(change.base),
      after: orUndefined(change.now),
    }));
  return [];
}

async function between(
  git: GitRunner,
  commonDir: string,
  old: string,
  next: string,
): Promise<readonly FileChange[]> {
  const raw = ["-r", "--raw", "-z", "--no-renames", "--no-abbrev"];
  // The first commit of a branch is compared with nothing.
  const ends = isZero(old) ? ["--root", "--no-commit-id", next] : [old, next];
  const output = await git.must(commonDir, ["diff-tree", ...raw, ...ends, "--"]);
  return parseRawDiff(output).map(({ path, before, after }) => ({ path: textOf(path), before, after }));
}

/** More than this is not shown, in bytes. */
const MAX_SHOWN = 10 * 1024 * 1024;

export type FileContent =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "binary" | "large"; readonly bytes: number };

/** A version of a file as git stores it, to be read by a person: a submodule's is its commit. */
export async function fileContent(
  git: GitRunner,
  commonDir: string,
  { mode, oid }: FileVersion,
): Promise<FileContent> {
  if (mode === SUBMODULE) return { kind: "text", text: `Subproject commit ${oid}\n` };
  const bytes = Number((await git.must(commonDir, ["cat-file", "-s", oid])).toString("latin1"));
  if (bytes > MAX_SHOWN) return { kind: "large", bytes };
  const content = await git.must(commonDir, ["cat-file", "blob", oid]);
  // As git itself tells: a NUL in its first 8,000 bytes (xdiff-interface.c, buffer_is_binary).
  if (content.subarray(0, 8000).includes(0)) return { kind: "binary", bytes };
  return { kind: "text", text: content.toString("utf8") };
}
