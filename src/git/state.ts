import { access, constants } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { StoredOperation } from "../core/operation.ts";
import { readConfig } from "./config.ts";
import type { GitConfig } from "./config.ts";
import { lostBefore } from "./dependencies.ts";
import type { Dependency } from "./dependencies.ts";
import { failureOf } from "./git-error.ts";
import type { Failure } from "./git-error.ts";
import type { GitOperation } from "./payload.ts";
import { readRefs } from "./refs.ts";
import { pushUrls } from "./remotes.ts";
import { listWorktrees } from "./repository.ts";
import type { Worktree } from "./repository.ts";
import type { GitRunner } from "./runner.ts";
import { exists } from "./worktree-state.ts";

/** The repository as a batch finds it. */
export interface RepositoryState {
  readonly commonDir: string;
  /** Not read where nothing but pushes is to be done. */
  readonly worktrees: readonly Worktree[];
  /** Branches, tags and remote-tracking branches. */
  readonly refs: ReadonlyMap<string, string>;
  /** By the worktree of an operation. */
  readonly configs: ReadonlyMap<string, GitConfig>;
  readonly urls: ReadonlyMap<string, readonly string[] | Failure>;
  readonly learned: ReadonlyMap<string, number>;
  /** A folder to run in for each worktree of an operation: the worktree, or the repository where it is gone. */
  readonly places: ReadonlyMap<string, string>;
  /** Commits outside of the batch that some of it build on and that came to nothing. */
  readonly lost: ReadonlyMap<string, Dependency>;
}

export interface StateSources {
  readonly git: GitRunner;
  /** The journal's `operation`. */
  readonly operation: (id: string) => Promise<StoredOperation | undefined>;
  readonly recall: (key: string) => Promise<string | undefined>;
}

export async function readState(
  { git, operation, recall }: StateSources,
  commonDir: string,
  operations: readonly GitOperation[],
): Promise<RepositoryState> {
  const named = [...new Set(operations.map(({ worktree }) => worktree))];
  const remotes = [...new Set(operations.flatMap((item) => remoteNamed(item) ?? []))];
  const [worktrees, shared, refs, places, urls, lost] = await Promise.all([
    // A push alone touches none.
    operations.every(({ kind }) => kind === "push") ? [] : listWorktrees(git, commonDir, named),
    readConfig(git, commonDir),
    readRefs(git, commonDir, "refs/heads", "refs/tags", "refs/remotes"),
    Promise.all(named.map(async (path) => ((await exists(path)) ? path : commonDir))),
    Promise.all(remotes.map((remote) => pushUrls(git, commonDir, remote).catch(failureOf))),
    lostBefore(operations, operation),
  ]);
  const configs = await configsOf(git, shared, places);
  const known = new Map(remotes.map((remote, index) => [remote, urls[index] ?? []]));
  const learned = new Map<string, number>();
  for (const url of urls.flatMap((found) => ("reason" in found ? [] : found))) {
    const limit = Number(await recall(limitKey(url)));
    if (limit > 0) learned.set(url, limit);
  }
  return {
    commonDir,
    worktrees,
    refs,
    places: new Map(named.map((path, index) => [path, places[index] ?? commonDir])),
    configs: new Map(
      named
        .map((path, index) => [path, configs[index] ?? configs[0]])
        .filter((pair): pair is [string, GitConfig] => pair[1] !== undefined),
    ),
    urls: known,
    learned,
    lost,
  };
}

/** Where the journal keeps what a host told us about its limit. */
export const limitKey = (url: string): string => `git.maxRefsPerPush ${url.replace(/\/\/[^@/]*@/, "//")}`;

function remoteNamed(item: GitOperation): string | undefined {
  switch (item.kind) {
    case "commit":
      return undefined;
    case "merge":
      return item.push?.remote;
    case "push":
      return item.remote;
  }
}

/** One read serves all worktrees, unless the repository has configuration per worktree or per path or branch. */
async function configsOf(
  git: GitRunner,
  shared: GitConfig,
  places: readonly string[],
): Promise<readonly GitConfig[]> {
  const differs = shared.flag("extensions.worktreeconfig", false) || shared.has("includeif.");
  return differs ? Promise.all(places.map((place) => readConfig(git, place))) : places.map(() => shared);
}

const commitHooks = ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"] as const;

/** Why commits in this worktree need `git commit` itself; `undefined`: they may be made without it. */
export async function needsPorcelain(
  config: GitConfig | undefined,
  commonDir: string,
  worktree: string,
): Promise<string | undefined> {
  if (!config) return "its configuration is not known";
  if (config.flag("commit.gpgsign", false)) return "commits are signed";
  if (config.has("hook.")) return "hooks are configured";
  const encoding = config.get("i18n.commitencoding");
  if (encoding !== undefined && !/^utf-?8$/i.test(encoding)) return `messages are written in ${encoding}`;
  const hooks = hooksFolder(config, commonDir, worktree);
  const found = await Promise.all(commitHooks.map((name) => isExecutable(join(hooks, name))));
  const first = commitHooks.find((_, index) => found[index]);
  return first === undefined ? undefined : `there is a ${first} hook`;
}

/** Whether a push from this worktree may run a hook before anything is sent. */
export async function hasPrePush(
  config: GitConfig | undefined,
  commonDir: string,
  worktree: string,
): Promise<boolean> {
  if (!config || config.has("hook.")) return true;
  return isExecutable(join(hooksFolder(config, commonDir, worktree), "pre-push"));
}

function hooksFolder(config: GitConfig, commonDir: string, worktree: string): string {
  const folder = config.get("core.hookspath");
  return folder === undefined
    ? join(commonDir, "hooks")
    : resolve(worktree, folder.replace(/^~(?=\/)/, process.env["HOME"] ?? "~"));
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
