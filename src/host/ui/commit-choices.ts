import type { Translate } from "../l10n.ts";
import type { ChangedFile, WorktreeChoice } from "../parts.ts";
import type { Choice } from "./ask.ts";

/** Worktrees as choices: those with changes first, each side in the order given. */
export function worktreesByChanges(
  worktrees: readonly WorktreeChoice[],
  /** By path; absent where it could not be found out. */
  counts: ReadonlyMap<string, number>,
  t: Translate,
): readonly Choice<string>[] {
  const isEmpty = ({ path }: WorktreeChoice): boolean => counts.get(path) === 0;
  const sorted = [
    ...worktrees.filter((worktree) => !isEmpty(worktree)),
    ...worktrees.filter((worktree) => isEmpty(worktree)),
  ];
  return sorted.map((worktree) => {
    const count = counts.get(worktree.path);
    const changes = count === 0 ? t("no changes") : t("changed files: {0}", count ?? "?");
    return worktreeChoice(worktree, t, changes);
  });
}

export function worktreeChoice(
  { path, branch, repository }: WorktreeChoice,
  t: Translate,
  more?: string,
): Choice<string> {
  return {
    label: branch ?? t("(detached)"),
    description: more === undefined ? repository : `${repository} · ${more}`,
    detail: path,
    value: path,
  };
}

/**
 * The files that a person most likely wants: those pointed at, else the staged ones, else all without a conflict; not those
 * that a queued commit has (`queued`), unless they are pointed at.
 */
export function likelyFiles(
  changed: readonly ChangedFile[],
  /** Absolute. */
  pointedAt: ReadonlySet<string>,
  worktree: string,
  queued: ReadonlySet<string> = new Set(),
): ReadonlySet<string> {
  const paths = (which: (file: ChangedFile) => boolean): ReadonlySet<string> =>
    new Set(changed.filter(which).map(({ path }) => path));
  if (pointedAt.size > 0) return paths(({ path }) => pointedAt.has(`${worktree}/${path}`));
  const staged = paths((file) => file.staged && !queued.has(file.path));
  return staged.size > 0 ? staged : paths(({ path, change }) => change !== "conflicted" && !queued.has(path));
}
