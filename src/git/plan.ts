import type { FinalStatus } from "../core/operation.ts";
import { dependenciesOf } from "./dependencies.ts";
import type { Dependency } from "./dependencies.ts";
import type { CommitOperation, GitOperation, MergeOperation } from "./payload.ts";
import type { Failure } from "./git-error.ts";
import { planPushes } from "./plan-pushes.ts";
import type { PushPlanInput, PushStep } from "./plan-pushes.ts";
import { shortName } from "./refs.ts";
import type { Worktree } from "./repository.ts";
import { unbornFailure, unreachable } from "./branch-gone.ts";
import { heldBy } from "./branch-names.ts";

export interface PlanInput extends Omit<PushPlanInput, "operations"> {
  /** In queue order; those that are final already take no part. */
  readonly operations: readonly GitOperation[];
  readonly worktrees: readonly Worktree[];
  readonly final: ReadonlyMap<string, FinalStatus>;
}

/** All commits onto one branch, in queue order. */
export interface CommitStep {
  readonly branch: string;
  /** Where the branch is checked out; its index follows. */
  readonly worktree?: Worktree;
  readonly operations: readonly CommitOperation[];
}

/** Merges into one target, in queue order, each on top of the one before. */
export interface MergeStep {
  readonly target: string;
  readonly worktree?: Worktree;
  readonly operations: readonly MergeOperation[];
}

export interface Plan {
  readonly commits: readonly CommitStep[];
  readonly merges: readonly MergeStep[];
  readonly pushes: readonly PushStep[];
  /** Operations that cannot run as things are. */
  readonly refused: ReadonlyMap<string, Failure>;
  /** Per operation those of this batch that must succeed before it. */
  readonly dependencies: ReadonlyMap<string, readonly Dependency[]>;
  readonly warnings: readonly string[];
}

/** What a batch will do, in order: commits, merges, pushes. Pure; the preview shows it and the executor runs it. */
export function planBatch(input: PlanInput): Plan {
  const open = input.operations.filter(({ operation }) => !input.final.has(operation.id));
  const refused = new Map<string, Failure>();
  const runnable = open.filter((item) => {
    const failure = refusal(item, input);
    if (failure) refused.set(item.operation.id, failure);
    return !failure;
  });
  const checkedOut = (branch: string): { readonly worktree?: Worktree } => {
    const worktree = input.worktrees.find((candidate) => candidate.branch === branch && !candidate.prunable);
    return worktree ? { worktree } : {};
  };
  const pushes = planPushes({ ...input, operations: runnable });
  for (const [id, failure] of pushes.refused) refused.set(id, failure);
  const commits = runnable.filter((item) => item.kind === "commit");
  const merges = runnable.filter(
    (item) => item.kind === "merge" && !pushes.refused.has(item.operation.id),
  ) as readonly MergeOperation[];
  return {
    commits: [...Map.groupBy(commits, ({ branch }) => branch)].map(([branch, operations]) => ({
      branch,
      operations,
      ...checkedOut(branch),
    })),
    merges: mergeChains(merges).map(({ target, operations }) => ({
      target,
      operations,
      ...checkedOut(target),
    })),
    pushes: pushes.steps,
    refused,
    dependencies: dependenciesOf(input.operations),
    warnings: pushes.warnings,
  };
}

/** Git itself is in the middle of something there, or the branch is gone, or out in no or several places within reach. */
function refusal(
  item: GitOperation,
  { worktrees, refs }: Pick<PlanInput, "worktrees" | "refs">,
): Failure | undefined {
  if (item.kind === "push") return undefined;
  const branch = item.kind === "commit" ? item.branch : item.target;
  const held = heldBy(branch, worktrees);
  if (held !== undefined) return { reason: "busy", error: held };
  const problem =
    unreachable(branch, worktrees) ??
    (item.kind === "commit" && !refs.has(branch) ? unbornFailure(item, worktrees) : undefined);
  if (problem !== undefined) return problem;
  const out = worktrees.filter((worktree) => worktree.branch === branch && !worktree.prunable);
  const paths = out.map(({ path }) => path);
  if (out.length > 1) {
    return {
      reason: "checked-out-twice",
      error: `${shortName(branch)} is checked out in several worktrees: ${paths.join(", ")}`,
    };
  }
  const [place] = paths;
  if (item.kind === "commit" && place !== undefined && place !== item.worktree) {
    return { reason: "checked-out-elsewhere", error: `${shortName(branch)} is checked out in ${place} now` };
  }
  return undefined;
}

/**
 * One chain per target, save where order matters between targets: a merge whose source is the target of a later chain,
 * or whose target an earlier merge has used as its source, begins a new chain at the end.
 */
function mergeChains(merges: readonly MergeOperation[]): { target: string; operations: MergeOperation[] }[] {
  const chains: { target: string; operations: MergeOperation[] }[] = [];
  for (const merge of merges) {
    const at = chains.findLastIndex(({ target }) => target === merge.target);
    const later = at < 0 ? [] : chains.slice(at + 1);
    const mustFollow = later.some(
      ({ target, operations }) =>
        target === merge.source || operations.some(({ source }) => source === merge.target),
    );
    const chain = chains[at];
    if (chain && !mustFollow) chain.operations.push(merge);
    else chains.push({ target: merge.target, operations: [merge] });
  }
  return chains;
}
