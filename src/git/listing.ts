import { readConfig } from "./config.ts";
import { readRefs, shortName } from "./refs.ts";
import type { GitRunner } from "./runner.ts";

export interface ChangedFile {
  readonly path: string;
  /** Two letters as `git status --porcelain` shows them: index, working tree. */
  readonly status: string;
}

/** What a person could commit in a worktree: staged, changed, deleted and untracked files. */
export async function changedFiles(git: GitRunner, worktree: string): Promise<readonly ChangedFile[]> {
  const args = [
    "--no-optional-locks",
    "status",
    "--porcelain",
    "-z",
    "--no-renames",
    "--untracked-files=all",
  ];
  const output = (await git.must(worktree, args)).toString("utf8");
  return output
    .split("\0")
    .filter((record) => record !== "")
    .map((record) => ({ status: record.slice(0, 2), path: record.slice(3) }));
}

/** Short names of local branches. */
export const listBranches = async (git: GitRunner, cwd: string): Promise<readonly string[]> =>
  [...(await readRefs(git, cwd, "refs/heads")).keys()].map(shortName);

export const listRemotes = async (git: GitRunner, cwd: string): Promise<readonly string[]> =>
  (await readConfig(git, cwd)).remotes();
