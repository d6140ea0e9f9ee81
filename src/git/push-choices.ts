import { readConfig } from "./config.ts";
import type { GitConfig } from "./config.ts";
import { headRef, readRefs, shortName } from "./refs.ts";
import { remoteOf } from "./remotes.ts";
import { listWorktrees } from "./repository.ts";
import type { GitRunner } from "./runner.ts";

/** A local branch as a push of it would find it, by what was last seen of its remote. */
export interface PushChoice {
  /** Short name. */
  readonly branch: string;
  /** `unborn`: checked out, with no commit yet. `absent`: not on the remote. `same`: nothing that the remote lacks. */
  readonly state: "unborn" | "absent" | "ahead" | "same";
  /** Commits that the remote lacks, where `ahead` was counted. */
  readonly commits?: number;
}

/** Counting takes a process for each branch; beyond so many it is left. */
const COUNTED = 40;

/** What could be pushed from a worktree, its own branch first, then by name. */
export async function pushChoices(git: GitRunner, worktree: string): Promise<readonly PushChoice[]> {
  const [refs, config, worktrees] = await Promise.all([
    readRefs(git, worktree, "refs/heads", "refs/remotes"),
    readConfig(git, worktree),
    listWorktrees(git, worktree, [worktree]),
  ]);
  const own = worktrees.find(({ path }) => path === worktree)?.branch;
  const heads = [...refs.keys()].filter((ref) => ref.startsWith("refs/heads/") && ref !== own);
  let counted = 0;
  const choices = [...(own === undefined ? [] : [own]), ...heads].map(async (ref): Promise<PushChoice> => {
    const branch = shortName(ref);
    const tip = refs.get(ref);
    if (tip === undefined) return { branch, state: "unborn" };
    const there = theirs(config, refs, ref);
    if (there === undefined) return { branch, state: "absent" };
    if (there === tip) return { branch, state: "same" };
    counted += 1;
    if (counted > COUNTED) return { branch, state: "ahead" };
    const args = ["rev-list", "--count", "--end-of-options", `${there}..${tip}`];
    const commits = Number((await git.must(worktree, args)).toString("utf8"));
    return commits === 0 ? { branch, state: "same" } : { branch, state: "ahead", commits };
  });
  return Promise.all(choices);
}

/** The branch of the same name on the remote that it would go to, as last seen. */
function theirs(config: GitConfig, refs: ReadonlyMap<string, string>, ref: string): string | undefined {
  const branch = shortName(headRef(ref));
  try {
    return refs.get(`refs/remotes/${remoteOf(config, ref, undefined)}/${branch}`);
  } catch {
    // Which remote is meant is asked later.
    return undefined;
  }
}
