import { InputError } from "../core/errors.ts";
import type { StoredOperation } from "../core/operation.ts";
import type { Clock } from "../core/ports.ts";
import { readConfig } from "./config.ts";
import type { GitConfig } from "./config.ts";
import type { OpenCommits } from "./pins.ts";
import { pinPrefix } from "./pins.ts";
import { readRefs } from "./refs.ts";
import { listWorktrees, resolveRepository } from "./repository.ts";
import type { Repository, Worktree } from "./repository.ts";
import type { GitRunner } from "./runner.ts";
import type { GitSettings } from "./settings.ts";

export interface AcceptorDeps {
  readonly git: GitRunner;
  readonly clock: Clock;
  readonly settings: (worktree: string) => GitSettings;
  /** The journal's `operation`. */
  readonly operation: (id: string) => Promise<StoredOperation | undefined>;
  /** The journal's `recall`. */
  readonly recall: (key: string) => Promise<string | undefined>;
}

/** What is known of the repository while inputs for one of its worktrees are accepted. */
export interface Scene {
  readonly deps: AcceptorDeps;
  readonly open: OpenCommits;
  readonly repository: Repository;
  readonly worktree: Worktree;
  readonly worktrees: readonly Worktree[];
  readonly config: GitConfig;
  /** Branches, tags, remote-tracking branches, pins. */
  readonly refs: ReadonlyMap<string, string>;
}

export async function readScene(deps: AcceptorDeps, open: OpenCommits, path: string): Promise<Scene> {
  const repository = await resolveRepository(deps.git, path);
  if (repository.kind === "problem") throw new InputError("worktree", repository.message, repository.reason);
  const { topLevel } = repository;
  const [worktrees, config, refs] = await Promise.all([
    listWorktrees(deps.git, topLevel, [topLevel]),
    readConfig(deps.git, topLevel),
    readRefs(deps.git, topLevel, "refs/heads", "refs/tags", "refs/remotes", pinPrefix),
  ]);
  const worktree = worktrees.find(({ gitDir }) => gitDir === repository.gitDir);
  if (!worktree)
    throw new InputError("worktree", `${topLevel} is not a worktree that git lists`, "not-a-worktree");
  return { deps, open, repository, worktree: { ...worktree, path: topLevel }, worktrees, config, refs };
}
