import { basename, dirname } from "node:path";
import { branchFiles } from "./branch-files.ts";
import { changedFiles, listBranches, listRemotes } from "./listing.ts";
import { pushChoices } from "./push-choices.ts";
import type { PushChoice } from "./push-choices.ts";
import { shortName } from "./refs.ts";
import { listWorktrees, resolveRepository } from "./repository.ts";
import type { GitRunner } from "./runner.ts";

export interface WorktreeChoice {
  readonly path: string;
  /** Short name; absent with a detached HEAD. */
  readonly branch?: string;
  /** The repository's name, for a person. */
  readonly repository: string;
  /** Absolute path of the repository's main worktree, or of the repository where that is bare: the same for all of one. */
  readonly main: string;
}

export interface PickableFile {
  /** Relative to the worktree, with `/`. */
  readonly path: string;
  readonly change: "added" | "modified" | "deleted" | "untracked" | "conflicted";
  readonly staged: boolean;
}

/** What a person may choose from when queueing git work. Rejects with `GitError`. */
export class GitChoices {
  readonly #git: GitRunner;
  readonly #folders: () => readonly string[];

  /** `folders`: where repositories may lie. */
  constructor(git: GitRunner, folders: () => readonly string[]) {
    this.#git = git;
    this.#folders = folders;
  }

  /** All worktrees of the repositories that the folders lie in, those of one repository together. */
  async worktrees(): Promise<readonly WorktreeChoice[]> {
    const found = await Promise.all(this.#folders().map((folder) => resolveRepository(this.#git, folder)));
    const repositories = new Map(
      found.flatMap((one) => (one.kind === "repository" ? [[one.commonDir, one] as const] : [])),
    );
    const lists = await Promise.all(
      [...repositories.values()].map(({ topLevel }) => listWorktrees(this.#git, topLevel, [topLevel])),
    );
    return lists.flatMap((worktrees) => {
      const main = worktrees[0]?.path ?? "";
      return worktrees
        .filter(({ bare, prunable }) => !bare && !prunable)
        .map(({ path, branch }) => ({
          path,
          repository: basename(main) || dirname(main),
          main,
          ...(branch === undefined ? {} : { branch: shortName(branch) }),
        }));
    });
  }

  async changedFiles(worktree: string): Promise<readonly PickableFile[]> {
    const files = await changedFiles(this.#git, worktree);
    return files.map(({ path, status }) => {
      const [index = " ", work = " "] = status;
      return { path, change: changeOf(index, work), staged: index !== " " && index !== "?" };
    });
  }

  /** Short names, the checked-out one first. */
  async branches(worktree: string): Promise<readonly string[]> {
    const [branches, worktrees] = await Promise.all([
      listBranches(this.#git, worktree),
      listWorktrees(this.#git, worktree, [worktree]),
    ]);
    const here = worktrees.find(({ path }) => path === worktree)?.branch;
    const current = here === undefined ? undefined : shortName(here);
    return [...branches].sort((a, b) => Number(b === current) - Number(a === current));
  }

  /** What could be pushed, the checked-out branch first, be it without a commit yet. */
  pushes(worktree: string): Promise<readonly PushChoice[]> {
    return pushChoices(this.#git, worktree);
  }

  remotes(worktree: string): Promise<readonly string[]> {
    return listRemotes(this.#git, worktree);
  }

  /** Relative to the worktree, with `/`: the files it holds that differ from where its branch left the main one. */
  filesOfBranch(worktree: string): Promise<readonly string[]> {
    return branchFiles(this.#git, worktree);
  }
}

function changeOf(index: string, work: string): PickableFile["change"] {
  if (index === "?") return "untracked";
  if (index === "U" || work === "U" || (index === "A" && work === "A") || (index === "D" && work === "D"))
    return "conflicted";
  if (index === "D" || work === "D") return "deleted";
  return index === "A" ? "added" : "modified";
}
