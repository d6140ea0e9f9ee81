import { changedFiles, listRemotes } from "./listing.ts";
import type { GitRunner } from "./runner.ts";

/**
 * The files that a worktree holds and that differ from where its branch left the main one: committed since, changed, or
 * new. Without a main branch, what is not committed.
 */
export async function branchFiles(git: GitRunner, worktree: string): Promise<readonly string[]> {
  const base = await forkPoint(git, worktree);
  const uncommitted = (await changedFiles(git, worktree)).filter(({ status }) => !status.includes("D"));
  const paths = new Set(uncommitted.map(({ path }) => path));
  if (base !== undefined) {
    const args = [
      "--no-optional-locks",
      "diff",
      "--name-only",
      "-z",
      "--no-renames",
      "--diff-filter=d",
      base,
      "--",
    ];
    const output = (await git.must(worktree, args)).toString("utf8");
    for (const path of output.split("\0")) if (path !== "") paths.add(path);
  }
  return [...paths].sort();
}

/** The last commit that the branch and the main one share. */
async function forkPoint(git: GitRunner, worktree: string): Promise<string | undefined> {
  const remotes = await listRemotes(git, worktree);
  const candidates = [
    ...remotes.map((remote) => `refs/remotes/${remote}/HEAD`),
    "refs/heads/main",
    "refs/heads/master",
  ];
  for (const main of candidates) {
    const { exitCode, stdout } = await git.run(worktree, ["merge-base", "--end-of-options", "HEAD", main]);
    if (exitCode === 0) return stdout.toString("utf8").trim();
  }
  return undefined;
}
