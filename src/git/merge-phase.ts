import { untilFilesAreNewer } from "./file-clock.ts";
import { forward, forwardFailure } from "./forward.ts";
import type { ForwardPlan } from "./forward.ts";
import { failureOf, GitError } from "./git-error.ts";
import type { Failure } from "./git-error.ts";
import { branchGone } from "./branch-gone.ts";
import { buildChain } from "./merge-chain.ts";
import type { Chain, Link } from "./merge-chain.ts";
import { withTargetAttributes } from "./merge-tree.ts";
import { failed, refChange, succeeded, warned } from "./outcomes.ts";
import type { Settlement } from "../core/journal.ts";
import type { MergeOperation } from "./payload.ts";
import type { MergeStep, Plan } from "./plan.ts";
import { moveRefs, readRefs, ZERO } from "./refs.ts";
import type { Run } from "./run.ts";
import type { RepositoryState } from "./state.ts";
import { settleForward } from "./settle-forward.ts";
import { noteUndoMoves } from "./undo-notes.ts";
import { mergedMove, undoMerged, undoMoves } from "./undo-refs.ts";
import { verifyChain } from "./verify.ts";
import type { RefsPlan } from "./commit-phase.ts";

interface Finished {
  readonly step: MergeStep;
  readonly chain: Chain;
}

const MAX_ATTEMPTS = 5;

/**
 * Builds each target's chain and moves the targets: those checked out nowhere together in one transaction, a checked-out
 * one in its worktree. A chain that another chain's result goes into lands before that one is built.
 */
export async function runMerges(
  run: Run,
  plan: Plan,
  state: RepositoryState,
  undoKnown: Set<string>,
): Promise<void> {
  let waiting: MergeStep[] = [];
  for (const step of plan.merges) {
    const needs = waiting.some(
      ({ target, operations }) =>
        step.operations.some(({ source }) => source === target) ||
        operations.some(({ source }) => source === step.target) ||
        target === step.target,
    );
    if (needs) {
      await runTogether(run, waiting, plan, state, undoKnown);
      waiting = [];
    }
    waiting.push(step);
  }
  await runTogether(run, waiting, plan, state, undoKnown);
}

async function runTogether(
  run: Run,
  steps: readonly MergeStep[],
  plan: Plan,
  state: RepositoryState,
  undoKnown: Set<string>,
): Promise<void> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const open = steps
      .map((step) => ({
        ...step,
        operations: step.operations.filter((item) => run.isOpen(item) && !run.landed.has(item.operation.id)),
      }))
      .filter(({ operations }) => operations.length > 0);
    if (open.length === 0) return;
    run.stopHere();
    const tips = await readRefs(run.git, run.commonDir, "refs/heads", "refs/remotes");
    const finished: Finished[] = [];
    for (const step of open) {
      await run.isolate(step.operations, async () => {
        const chain = await chainOf(run, step, plan, state, tips);
        if (chain) finished.push({ step, chain });
      });
    }
    const last = attempt === MAX_ATTEMPTS;
    const free = finished.filter(({ step }) => !step.worktree);
    await landFree(run, free, undoKnown, last);
    for (const item of finished) if (item.step.worktree) await landCheckedOut(run, item, undoKnown, last);
  }
}

async function chainOf(
  run: Run,
  step: MergeStep,
  plan: Plan,
  state: RepositoryState,
  tips: ReadonlyMap<string, string>,
): Promise<Chain | undefined> {
  const start = tips.get(step.target);
  if (start === undefined) {
    await run.fail(step.operations, branchGone(step.target));
    return undefined;
  }
  const chain = await withTargetAttributes(
    run.git,
    run.commonDir,
    start,
    step.worktree?.path,
    async (place) => {
      const build = (from: string, operations: readonly MergeOperation[]): Promise<Chain> =>
        buildChain({
          git: run.git,
          place,
          commitIn: (worktree) => state.places.get(worktree) ?? run.commonDir,
          signs: (worktree) => state.configs.get(worktree)?.flag("commit.gpgsign", false) ?? false,
          start: from,
          operations,
          tips,
          broken: ({ operation }) => plan.dependencies.get(operation.id)?.find(({ id }) => run.hasFailed(id)),
          signal: run.signal,
        });
      return verifyChain(run, await build(start, step.operations), build);
    },
  );
  const failures = step.operations.flatMap((item) => {
    const failure = chain.failures.get(item.operation.id);
    return failure ? [failed(item, failure)] : [];
  });
  await run.settle(failures);
  return chain;
}

/** All targets that are checked out nowhere move in one transaction; where that is refused, each in its own. */
async function landFree(
  run: Run,
  finished: readonly Finished[],
  undoKnown: Set<string>,
  last: boolean,
): Promise<void> {
  const landing = finished.filter(({ chain }) => chain.links.length > 0);
  const plan = refsPlan(landing);
  if (plan.moves.length === 0) {
    await run.settle(landing.flatMap(({ chain }) => settlements(run, chain.links)));
    return;
  }
  const n = await run.intent("refs", plan);
  const moves = plan.moves.map(({ ref, old, new: next }) => ({ ref, old, next }));
  try {
    const undo = undoMoves(run.batch.id, moves, undoKnown);
    await run.patiently(() =>
      moveRefs(run.git, run.commonDir, [...moves, ...undo], `batch-control: ${run.batch.id}`, (pid) =>
        run.noteStart(n, pid),
      ),
    );
  } catch (error) {
    if (landing.length === 1) {
      await notLanded(run, n, landing, failureOf(error), last);
      return;
    }
    // Each on its own, so that the one that cannot move holds up no other.
    await run.outcome({ effect: { n, state: "failed", result: failureOf(error) } });
    for (const one of landing) await landFree(run, [one], undoKnown, last);
    return;
  }
  for (const { ref } of moves) undoKnown.add(ref);
  await run.outcome({
    effect: { n, state: "done" },
    settled: landing.flatMap(({ chain }) => settlements(run, chain.links)),
  });
}

/** Where the target moved meanwhile, its chain is built again; else its merges fail. */
async function notLanded(
  run: Run,
  n: number,
  landing: readonly Finished[],
  failure: Failure,
  last: boolean,
): Promise<void> {
  const now = await readRefs(run.git, run.commonDir, "refs/heads");
  const moved = landing.some(({ chain, step }) => now.get(step.target) !== chain.start);
  const links = moved && !last ? [] : landing.flatMap(({ chain }) => chain.links);
  await run.outcome({
    effect: { n, state: "failed", result: failure },
    settled: links.map(({ operation }) => failed(operation, failure)),
  });
}

async function landCheckedOut(
  run: Run,
  { step, chain }: Finished,
  undoKnown: Set<string>,
  last: boolean,
): Promise<void> {
  const { worktree } = step;
  const { moves, operations } = refsPlan([{ step, chain }]);
  const [move] = moves;
  if (!worktree || !move) {
    await run.settle(settlements(run, chain.links));
    return;
  }
  run.stopHere();
  const n = await run.intent("ff", { moves, operations, worktree: worktree.path } satisfies ForwardPlan);
  // What it leaves when it is killed is told from a person's files by when it was made.
  await untilFilesAreNewer(run.commonDir, run.deps.clock.now());
  const undo = undoMoves(run.batch.id, [{ ref: move.ref, old: move.old, next: move.new }], undoKnown);
  const merged = mergedMove(run.batch.id, move, undoKnown);
  try {
    // Without it a collection of garbage takes the merge away from a forward that was cut off and has to be repaired.
    const held = { ref: `refs/batch-control/tmp/${run.batch.id}/forward`, next: move.new };
    await run.patiently(() =>
      moveRefs(run.git, run.commonDir, [held], "batch-control: forward", (pid) => run.noteStart(n, pid)),
    );
    await run.patiently(() => forward(run, worktree.path, move.new, n));
  } catch (error) {
    if (run.signal.aborted) await stopped(run, n, undoKnown);
    if (!(error instanceof GitError) || run.signal.aborted) throw error;
    await notLanded(run, n, [{ step, chain }], forwardFailure(error, worktree.path), last);
    return;
  }
  const unnoted = await noteUndoMoves(run, [...undo, ...merged], n);
  if (unnoted === undefined) undoKnown.add(move.ref).add(undoMerged(run.batch.id, move.ref));
  await run.outcome({ effect: { n, state: "done" }, settled: settlements(run, chain.links, unnoted) });
}

/** What a git that was stopped half way has done is taken back, or kept if that was all. Whoever leads now sees to it else. */
async function stopped(run: Run, n: number, undoKnown: Set<string>): Promise<void> {
  if (run.signal.reason === "fenced") return;
  const effect = (await run.context.effects()).find((item) => item.n === n);
  if (effect) await settleForward(run, effect, JSON.parse(effect.plan) as ForwardPlan, undoKnown);
}

function refsPlan(finished: readonly Finished[]): RefsPlan {
  const moves = finished.flatMap(({ step, chain }) => {
    const next = chain.links.at(-1)?.next ?? chain.start;
    return next === chain.start ? [] : [{ ref: step.target, old: chain.start, new: next }];
  });
  const operations = finished.flatMap(({ step, chain }) =>
    chain.links.map(({ operation, old, next }) => ({
      id: operation.operation.id,
      ref: step.target,
      old,
      new: next,
    })),
  );
  return { moves, operations };
}

/** A merge that is also to be pushed is settled by its push. */
function settlements(run: Run, links: readonly Link[], warning?: string): readonly Settlement[] {
  return links.flatMap(({ operation, old, next }) => {
    const refs = [refChange(operation.target, old === ZERO ? undefined : old, next)];
    const success =
      old === next
        ? { commit: next, detail: { upToDate: true } }
        : { commit: next, refs, ...(warning === undefined ? {} : { detail: warned(warning) }) };
    run.landed.set(operation.operation.id, success);
    return operation.push ? [] : [succeeded(operation, success)];
  });
}
