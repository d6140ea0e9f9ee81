import { GitError } from "./git-error.ts";
import type { GitRunner } from "./runner.ts";

/** Name, address and time as git writes them into a commit. */
export interface Identity {
  readonly author: Buffer;
  readonly committer: Buffer;
}

/** Whoever `git commit` would name in this worktree. Rejects with a `GitError` where git knows nobody. */
export async function identityOf(git: GitRunner, worktree: string): Promise<Identity> {
  const ask = async (name: string): Promise<Buffer> => {
    try {
      const output = await git.must(worktree, ["var", name]);
      return output.subarray(0, output.lastIndexOf(10));
    } catch (error) {
      if (!(error instanceof GitError) || error.reason !== "git-failed") throw error;
      throw new GitError(
        "no-identity",
        `git does not know who commits; set user.name and user.email (${error.stderr.trim()})`,
        error.stderr,
      );
    }
  };
  const [author, committer] = await Promise.all([ask("GIT_AUTHOR_IDENT"), ask("GIT_COMMITTER_IDENT")]);
  return { author, committer };
}
