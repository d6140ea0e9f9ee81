import { rm } from "node:fs/promises";
import { join } from "node:path";
import { BranchContent } from "./branch-content.ts";
import type { GitConfig } from "./config.ts";
import { dependencyFailure } from "./dependencies.ts";
import type { Dependency } from "./dependencies.ts";
import type { Entry, PathKey } from "./entries.ts";
import { importStream } from "./fast-import.ts";
import type { NewCommit } from "./fast-import.ts";
import { failureOf } from "./git-error.ts";
import type { Failure } from "./git-error.ts";
import { identityOf } from "./identity.ts";
import type { Identity } from "./identity.ts";
import { cleanMessage, cleanupOf } from "./message.ts";
import { orUndefined, pathOf } from "./payload.ts";
import type { CommitOperation } from "./payload.ts";
import type { CommitStep } from "./plan.ts";
import { endError } from "./runner.ts";
import type { GitRunner } from "./runner.ts";

/** A commit that exists but that no branch has yet. */
interface BuiltCommit {
  readonly operation: CommitOperation;
  readonly oid: string;
  /** The commit before it; `undefined` on an unborn branch. */
  readonly parent: string | undefined;
  /** The branch's entries at its paths before it. */
  readonly before: ReadonlyMap<PathKey, Entry | undefined>;
}

export interface BuiltBranch {
  readonly step: CommitStep;
  readonly tip: string | undefined;
  readonly commits: readonly BuiltCommit[];
  readonly temporaryRef: string | undefined;
}

export interface Built {
  readonly branches: readonly BuiltBranch[];
  readonly failures: ReadonlyMap<string, Failure>;
}

export interface BuildRequest {
  readonly git: GitRunner;
  readonly cwd: string;
  readonly steps: readonly CommitStep[];
  readonly tips: ReadonlyMap<string, string>;
  /** By worktree. */
  readonly configs: ReadonlyMap<string, GitConfig>;
  /** A folder to run in for each worktree. */
  readonly places: ReadonlyMap<string, string>;
  readonly dependencies: ReadonlyMap<string, readonly Dependency[]>;
  /** Commits outside of the batch that came to nothing. */
  readonly lost: ReadonlyMap<string, Dependency>;
  /** Why an operation that another depends on did not succeed. */
  readonly failedBefore: (id: string) => boolean;
  /** Where the commits are held until a branch has them; `undefined`: nowhere, for a try-out. */
  readonly temporaryPrefix: string | undefined;
  readonly signal?: AbortSignal;
  readonly env?: Readonly<Record<string, string>>;
}

/** Makes all commits of a batch in one `git fast-import`; no branch, index or working tree is touched. */
export async function buildCommits(request: BuildRequest): Promise<Built> {
  const { git, cwd, steps, tips } = request;
  const failures = new Map<string, Failure>();
  const identities = await identitiesOf(request);
  const contents = await Promise.all(
    steps.map(({ branch, operations }) => BranchContent.read(git, cwd, branch, tips.get(branch), operations)),
  );
  const drafts = steps.map((step, index) => {
    const commits: {
      operation: CommitOperation;
      commit: NewCommit;
      before: Map<PathKey, Entry | undefined>;
    }[] = [];
    for (const operation of step.operations) {
      const content = contents[index];
      const identity = identities.get(operation.worktree);
      const failure =
        blocked(operation, request, failures) ??
        (identity && "reason" in identity ? identity : content?.check(operation, request.lost));
      const message = messageOf(operation, request.configs.get(operation.worktree));
      if (failure) failures.set(operation.operation.id, failure);
      else if (message === "")
        failures.set(operation.operation.id, {
          reason: "empty-message",
          error: "the commit message is empty",
        });
      else if (content && identity && !("reason" in identity)) {
        const changes = new Map(operation.changes.map((change) => [pathOf(change), orUndefined(change.now)]));
        const before = new Map([...changes.keys()].map((path) => [path, content.get(path)]));
        content.apply(changes);
        commits.push({ operation, commit: { ...identity, message: Buffer.from(message), changes }, before });
      }
    }
    const temporaryRef =
      request.temporaryPrefix === undefined ? undefined : `${request.temporaryPrefix}/${index}`;
    return { step, commits, temporaryRef };
  });
  const busy = drafts.filter(({ commits }) => commits.length > 0);
  const oids = await runImport(request, busy);
  let next = 0;
  const branches = busy.map(({ step, commits, temporaryRef }): BuiltBranch => {
    const tip = tips.get(step.branch);
    let parent = tip;
    const built = commits.map(({ operation, before }): BuiltCommit => {
      const oid = oids[next] ?? "";
      next += 1;
      const commit = { operation, oid, parent, before };
      parent = oid;
      return commit;
    });
    return { step, tip, commits: built, temporaryRef };
  });
  return { branches, failures };
}

function blocked(
  { operation }: CommitOperation,
  request: BuildRequest,
  failures: ReadonlyMap<string, Failure>,
): Failure | undefined {
  const broken = request.dependencies
    .get(operation.id)
    ?.find(({ id }) => failures.has(id) || request.failedBefore(id));
  return broken === undefined ? undefined : dependencyFailure(broken);
}

function messageOf({ message }: CommitOperation, config: GitConfig | undefined): string {
  return cleanMessage(
    message,
    cleanupOf(config?.get("commit.cleanup")),
    config?.get("core.commentchar") ?? "#",
  );
}

/** Worktrees with one configuration have one identity; git is asked once for each. */
async function identitiesOf({
  git,
  steps,
  places,
  configs,
  cwd,
}: BuildRequest): Promise<ReadonlyMap<string, Identity | Failure>> {
  const worktrees = [
    ...new Set(steps.flatMap(({ operations }) => operations.map(({ worktree }) => worktree))),
  ];
  const asked = new Map<GitConfig | undefined, Promise<Identity | Failure>>();
  for (const worktree of worktrees) {
    const config = configs.get(worktree);
    if (!asked.has(config)) asked.set(config, identityOf(git, places.get(worktree) ?? cwd).catch(failureOf));
  }
  const found = new Map<string, Identity | Failure>();
  for (const worktree of worktrees) {
    const identity = await asked.get(configs.get(worktree));
    if (identity) found.set(worktree, identity);
  }
  return found;
}

const TRY_OUT_REF = "refs/batch-control/tmp/try-out";

async function runImport(
  { git, cwd, tips, signal, env }: BuildRequest,
  drafts: readonly {
    readonly step: CommitStep;
    readonly temporaryRef: string | undefined;
    readonly commits: readonly { readonly commit: NewCommit }[];
  }[],
): Promise<readonly string[]> {
  if (drafts.length === 0) return [];
  const branches = drafts.map(({ step, temporaryRef, commits }) => ({
    ref: temporaryRef ?? TRY_OUT_REF,
    keep: temporaryRef !== undefined,
    from: tips.get(step.branch),
    commits: commits.map(({ commit }) => commit),
  }));
  // --force: a temporary ref that a crash left behind is simply replaced.
  const args = [
    "-c",
    "core.fsync=pack,loose-object,reference",
    "fast-import",
    "--quiet",
    "--force",
    "--done",
    "--date-format=raw",
  ];
  let process: number | undefined;
  const end = await git.run(cwd, args, {
    input: Buffer.concat([...importStream(branches)]),
    onStart: (pid) => (process = pid),
    ...(signal ? { signal } : {}),
    ...(env ? { env } : {}),
  });
  if (end.exitCode !== 0) {
    // Its report for developers of git.
    await rm(join(cwd, `fast_import_crash_${process ?? 0}`), { force: true });
    throw endError(args, end);
  }
  return end.stdout
    .toString("latin1")
    .split("\n")
    .filter((line) => line !== "");
}
