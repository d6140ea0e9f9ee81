import type { Settlement } from "../core/journal.ts";
import { buildCommits } from "./commit-fast.ts";
import type { Built, BuiltBranch } from "./commit-fast.ts";
import { commitPorcelain } from "./commit-porcelain.ts";
import { failureOf, GitError } from "./git-error.ts";
import { followIndex } from "./index-sync.ts";
import type { IndexUpdate } from "./index-sync.ts";
import { failed, refChange, succeeded, warned } from "./outcomes.ts";
import { orUndefined, pathOf } from "./payload.ts";
import type { CommitOperation } from "./payload.ts";
import type { CommitStep, Plan } from "./plan.ts";
import { moveRefs, readRefs, ZERO } from "./refs.ts";
import type { RefMove } from "./refs.ts";
import type { Run } from "./run.ts";
import { reasonForPorcelain } from "./engine.ts";
import type { RepositoryState } from "./state.ts";
import { undoMoves } from "./undo-refs.ts";
import { waitForLock } from "./locks.ts";

/** The plan of a `refs` effect: one transaction that gives operations their commits. */
export interface RefsPlan {
  readonly moves: readonly { readonly ref: string; readonly old: string; readonly new: string }[];
  readonly operations: readonly {
    readonly id: string;
    readonly ref: string;
    readonly old: string;
    readonly new: string;
  }[];
}

/** All commits of the batch: in one import where nothing forbids it, else with `git commit`, one at a time. */
export async function runCommits(
  run: Run,
  plan: Plan,
  state: RepositoryState,
  undoKnown: Set<string>,
): Promise<void> {
  const fast: CommitStep[] = [];
  for (const step of plan.commits) {
    const why = await reasonForPorcelain(step, state);
    const options = {
      dependencies: plan.dependencies,
      lost: state.lost,
      undoKnown,
      swaps: swaps(step, state),
    };
    if (why === undefined) fast.push(step);
    else await run.isolate(step.operations, () => commitPorcelain(run, step, { ...options, why }));
  }
  const free = await Promise.all(fast.map((step) => unlocked(run, step)));
  await commitFast(run, free.flat(), plan, state, undoKnown);
}

/** The step once nobody writes its index any more; nothing, and its operations failed, where that lasts. */
async function unlocked(run: Run, step: CommitStep): Promise<readonly CommitStep[]> {
  const gitDir = step.worktree?.gitDir;
  if (gitDir !== undefined) await run.isolate(step.operations, () => waitForLock(run, gitDir));
  return step.operations.some((item) => run.isOpen(item)) ? [step] : [];
}

/** A split index is several files. */
const swaps = ({ operations }: CommitStep, { configs }: RepositoryState): boolean =>
  operations.every(({ worktree }) => configs.get(worktree)?.flag("core.splitindex", false) === false);

const MAX_ATTEMPTS = 5;

/** Where all together do not go in, each goes on its own, so that one does not take the others with it. */
async function commitFast(
  run: Run,
  steps: readonly CommitStep[],
  plan: Plan,
  state: RepositoryState,
  undoKnown: Set<string>,
): Promise<void> {
  try {
    await commitTogether(run, steps, plan, state, undoKnown);
  } catch (error) {
    if (!(error instanceof GitError) || run.signal.aborted) throw error;
    run.context.log.warn(`${error.message} Trying the commits one by one.`);
    for (const step of steps) {
      for (const item of step.operations.filter((operation) => run.isOpen(operation))) {
        await run.isolate([item], () =>
          commitTogether(run, [{ ...step, operations: [item] }], plan, state, undoKnown),
        );
      }
    }
  }
}

async function commitTogether(
  run: Run,
  steps: readonly CommitStep[],
  plan: Plan,
  state: RepositoryState,
  undoKnown: Set<string>,
): Promise<void> {
  if (steps.length === 0) return;
  let tips = await readRefs(run.git, run.commonDir, "refs/heads");
  for (
    let attempt = 1;
    steps.some(({ operations }) => operations.some((item) => run.isOpen(item)));
    attempt += 1
  ) {
    run.stopHere();
    const built = await buildCommits({
      git: run.git,
      cwd: run.commonDir,
      steps: steps.map((step) => ({
        ...step,
        operations: step.operations.filter((item) => run.isOpen(item)),
      })),
      tips,
      configs: state.configs,
      places: state.places,
      dependencies: plan.dependencies,
      lost: state.lost,
      failedBefore: (id) => run.hasFailed(id),
      temporaryPrefix: `refs/batch-control/tmp/${run.batch.id}`,
      signal: run.signal,
    });
    if (await land(run, built, undoKnown, attempt === MAX_ATTEMPTS)) return;
    tips = await readRefs(run.git, run.commonDir, "refs/heads");
  }
}

/** Moves the branches to the new commits; answers false where one had moved meanwhile and all has to be made again. */
async function land(run: Run, built: Built, undoKnown: Set<string>, last: boolean): Promise<boolean> {
  const items = new Map(run.operations.map((item) => [item.operation.id, item]));
  const refused = [...built.failures].flatMap(([id, failure]) => {
    const item = items.get(id);
    return item ? [failed(item, failure)] : [];
  });
  if (built.branches.length === 0) {
    await run.settle(refused);
    return true;
  }
  const moves = built.branches.map(({ step, tip, commits }) => ({
    ref: step.branch,
    old: tip ?? ZERO,
    new: commits.at(-1)?.oid ?? "",
  }));
  const operations = built.branches.flatMap(({ step, commits }) =>
    commits.map(({ operation, oid, parent }) => ({
      id: operation.operation.id,
      ref: step.branch,
      old: parent ?? ZERO,
      new: oid,
    })),
  );
  const n = await run.intent("refs", { moves, operations } satisfies RefsPlan);
  try {
    const all: RefMove[] = moves.map(({ ref, old, new: next }) => ({ ref, old, next }));
    const temporary = built.branches.flatMap(({ temporaryRef }) =>
      temporaryRef === undefined ? [] : [{ ref: temporaryRef }],
    );
    const undo = undoMoves(run.batch.id, all, undoKnown);
    await run.patiently(() =>
      moveRefs(
        run.git,
        run.commonDir,
        [...all, ...undo, ...temporary],
        `batch-control: ${run.batch.id}`,
        (pid) => run.noteStart(n, pid),
      ),
    );
  } catch (error) {
    const failure = failureOf(error);
    const now = await readRefs(run.git, run.commonDir, ...moves.map(({ ref }) => ref));
    const moved = moves.some(({ ref, old }) => (now.get(ref) ?? ZERO) !== old);
    const again = moved && !last;
    await run.outcome({ effect: { n, state: "failed", result: failure }, settled: again ? [] : refused });
    if (again) return false;
    throw error;
  }
  for (const { ref } of moves) undoKnown.add(ref);
  const warnings = await Promise.all(
    built.branches.map(({ step, commits }) =>
      syncBranch(
        run,
        step,
        commits.map(({ operation }) => operation),
      ),
    ),
  );
  const settled = built.branches.flatMap((branch, index) => settlements(branch, warnings[index]));
  await run.outcome({ effect: { n, state: "done" }, settled: [...refused, ...settled] });
  return true;
}

function settlements({ step, commits }: BuiltBranch, warning: string | undefined): readonly Settlement[] {
  return commits.map(({ operation, oid, parent }) =>
    succeeded(operation, {
      commit: oid,
      refs: [refChange(step.branch, parent, oid)],
      detail: { engine: "fast", ...warned(warning) },
    }),
  );
}

/** The index of the worktree where the branch is checked out follows its commits. Answers what went wrong; the commit stands. */
export async function syncBranch(
  run: Run,
  { worktree }: CommitStep,
  operations: readonly CommitOperation[],
): Promise<string | undefined> {
  if (!worktree) return undefined;
  const updates = new Map<string, IndexUpdate>();
  for (const { changes } of operations) {
    for (const change of changes) {
      const path = pathOf(change);
      const earlier = updates.get(path);
      const replaceable = [orUndefined(change.index), orUndefined(change.base)];
      updates.set(path, {
        next: orUndefined(change.now),
        replaceable: [...(earlier?.replaceable ?? []), ...replaceable],
      });
    }
  }
  return followIndex(run, worktree.path, updates);
}
