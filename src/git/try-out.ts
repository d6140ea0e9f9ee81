import { buildCommits } from "./commit-fast.ts";
import { notCheckedOut } from "./commit-porcelain.ts";
import type { Failure } from "./git-error.ts";
import { dirtyFailure, filesInTheWay } from "./in-the-way.ts";
import { branchGone } from "./branch-gone.ts";
import { buildChain, madeBy } from "./merge-chain.ts";
import type { Made } from "./merge-chain.ts";
import { withTargetAttributes } from "./merge-tree.ts";
import type { MergeStep, Plan } from "./plan.ts";
import type { PushStep } from "./plan-pushes.ts";
import { mergedThough } from "./push-ledger.ts";
import { readyToPush, splitFailure } from "./push-ready.ts";
import type { PushSource } from "./push-process.ts";
import type { GitRunner } from "./runner.ts";
import type { RepositoryState } from "./state.ts";

/** How a plan would go, as far as that can be known without hooks, verification and remotes. */
export interface TryOut {
  /** By operation. */
  readonly failures: ReadonlyMap<string, Failure>;
  /** By merge that would succeed. */
  readonly made: ReadonlyMap<string, Made>;
  readonly pushes: readonly { readonly step: PushStep; readonly sources: readonly PushSource[] }[];
}

interface Trial {
  readonly git: GitRunner;
  readonly plan: Plan;
  readonly state: RepositoryState;
  readonly failures: Map<string, Failure>;
  readonly tips: Map<string, string>;
  readonly landed: Map<string, Made>;
}

/** The same steps as the executor's, with objects that nobody will see. `engines`: per commit step why `git commit` has to run. */
export async function tryOut(
  git: GitRunner,
  plan: Plan,
  state: RepositoryState,
  engines: readonly (string | undefined)[],
): Promise<TryOut> {
  const failures = new Map<string, Failure>(plan.refused);
  const trial: Trial = { git, plan, state, failures, tips: new Map(state.refs), landed: new Map() };
  await tryCommits(trial, engines);
  for (const step of plan.merges) await tryMerges(trial, step);
  return { failures, made: trial.landed, pushes: plan.pushes.flatMap((step) => tryPush(trial, step)) };
}

async function tryCommits(
  { git, plan, state, failures, tips }: Trial,
  engines: readonly (string | undefined)[],
): Promise<void> {
  const steps = plan.commits.filter(({ worktree, branch, operations }, index) => {
    const why = engines[index];
    if (why === undefined || worktree?.gitDir !== undefined) return true;
    for (const { operation } of operations) failures.set(operation.id, notCheckedOut(branch, why));
    return false;
  });
  const built = await buildCommits({
    ...{ git, cwd: state.commonDir, steps, tips },
    ...{ configs: state.configs, places: state.places, dependencies: plan.dependencies, lost: state.lost },
    failedBefore: (id) => failures.has(id),
    temporaryPrefix: undefined,
  });
  for (const [id, failure] of built.failures) failures.set(id, failure);
  for (const { step, commits } of built.branches) tips.set(step.branch, commits.at(-1)?.oid ?? "");
}

async function tryMerges(
  { git, plan, state, failures, tips, landed }: Trial,
  { target, worktree, operations }: MergeStep,
): Promise<void> {
  const start = tips.get(target);
  if (start === undefined) {
    for (const { operation } of operations) failures.set(operation.id, branchGone(target));
    return;
  }
  const { commonDir } = state;
  const chain = await withTargetAttributes(git, commonDir, start, worktree?.path, (place) =>
    buildChain({
      ...{ git, place, start, operations, tips },
      commitIn: (path) => state.places.get(path) ?? commonDir,
      signs: () => false,
      broken: ({ operation }) => plan.dependencies.get(operation.id)?.find(({ id }) => failures.has(id)),
    }),
  );
  for (const [id, failure] of chain.failures) failures.set(id, failure);
  const next = chain.links.at(-1)?.next ?? start;
  const inTheWay = worktree && next !== start ? await filesInTheWay(git, worktree.path, start, next) : [];
  for (const link of chain.links) {
    const { id } = link.operation.operation;
    if (worktree && inTheWay.length > 0) failures.set(id, dirtyFailure(worktree.path, inTheWay));
    else landed.set(id, madeBy(link));
  }
  if (inTheWay.length === 0) tips.set(target, next);
}

function tryPush({ plan, failures, tips, landed }: Trial, step: PushStep): TryOut["pushes"] {
  const { sources, failures: blocked } = readyToPush(step, plan.dependencies, {
    isOpen: (id) => !failures.has(id),
    hasFailed: (id) => failures.has(id),
    hasLanded: (id) => landed.has(id),
    tips,
  });
  for (const [id, failure] of blocked) failures.set(id, failure);
  const split = splitFailure(step, sources.length, step.limit);
  if (!split) return sources.length === 0 ? [] : [{ step, sources }];
  for (const item of sources.flatMap(({ operations }) => operations))
    failures.set(item.operation.id, mergedThough(item, split));
  return [];
}
