import { failureOf } from "./git-error.ts";
import { refChange } from "./outcomes.ts";
import type { Plan } from "./plan.ts";
import type { PushStep } from "./plan-pushes.ts";
import { PushLedger } from "./push-ledger.ts";
import type { Pusher, RefEnd } from "./push-ledger.ts";
import { notePushed, pushedNotes } from "./pushed-notes.ts";
import { PushProcess } from "./push-process.ts";
import type { PushSource } from "./push-process.ts";
import { readyToPush, splitFailure } from "./push-ready.ts";
import { moveRefs, readRefs, shortName } from "./refs.ts";
import { withoutSecrets } from "./remotes.ts";
import type { Run } from "./run.ts";
import { hasPrePush } from "./state.ts";
import type { RepositoryState } from "./state.ts";

/** The result of a `push` effect. */
export interface PushResult {
  readonly delivered: readonly { readonly ref: string; readonly oid: string }[];
}

/** Names one value of one ref at one address. */
export const deliveryKey = (url: string, ref: string, oid: string): string =>
  `${withoutSecrets(url)}\0${ref}\0${oid}`;

/** Everything that goes to one address in one `git push`, as few as the host allows. */
export async function runPushes(run: Run, plan: Plan, state: RepositoryState): Promise<void> {
  if (plan.pushes.length === 0) return;
  const ledger = new PushLedger(run, plan.pushes);
  const moved = plan.commits.length > 0 || plan.merges.length > 0;
  for (const step of plan.pushes) {
    run.stopHere();
    // Only this batch's own commits and merges can have moved what it was planned from.
    const refs = moved ? await readRefs(run.git, run.commonDir, "refs/heads", "refs/tags") : state.refs;
    const { sources, failures } = readyToPush(step, plan.dependencies, {
      isOpen: (id) => !run.final.has(id),
      hasFailed: (id) => run.hasFailed(id),
      hasLanded: (id) => run.landed.has(id),
      tips: refs,
    });
    for (const [id, failure] of failures) await run.failById(id, failure);
    const items = sources.flatMap(({ operations }) => operations);
    if (sources.length > 0) await run.isolate(items, () => pushStep(run, step, sources, ledger, state));
  }
}

async function pushStep(
  run: Run,
  step: PushStep,
  sources: readonly PushSource[],
  ledger: PushLedger,
  state: RepositoryState,
): Promise<void> {
  const arrived = sources.filter(({ ref, oid }) => run.delivered.has(deliveryKey(step.url, ref, oid)));
  if (arrived.length > 0) await settleArrived(run, step, arrived, ledger);
  let rest = await withLeases(
    run,
    step,
    sources.filter((source) => !arrived.includes(source)),
  );
  const place = state.places.get(step.worktree) ?? run.commonDir;
  const hooked = await hasPrePush(state.configs.get(step.worktree), run.commonDir, place);
  let limit = step.limit;
  let tried = false;
  while (rest.length > 0) {
    const size = limit > 0 ? limit : rest.length;
    const split = splitFailure(step, rest.length, limit);
    if (split) {
      const end: RefEnd = { kind: "failed", failure: split, ...(tried ? {} : { unsent: true }) };
      await run.settle(ledger.note(step.url, new Map(rest.map(({ ref }) => [ref, end]))));
      return;
    }
    const chunk = rest.slice(0, size);
    const process = new PushProcess(run, step, state, hooked);
    const n = await run.intent("push", process.plan(chunk));
    const { ends, runs, learned } = await process.run(n, chunk);
    tried = true;
    if (learned !== undefined && learned < chunk.length) {
      limit = learned;
      await run.outcome({
        effect: { n, state: "failed", result: { learned } },
        stats: { "git.pushesExecuted": runs },
      });
      continue;
    }
    await keepBooks(run, step, chunk, ends, ledger, state);
    const settled = ledger.note(step.url, ends);
    await run.outcome({
      effect: { n, state: "done" },
      settled,
      stats: { "git.pushesExecuted": runs },
    });
    rest = rest.slice(size);
  }
}

/** What an earlier turn on this batch delivered already. */
async function settleArrived(
  run: Run,
  step: PushStep,
  arrived: readonly PushSource[],
  ledger: PushLedger,
): Promise<void> {
  const ends = new Map(
    arrived.map(({ ref, oid }): [string, RefEnd] => [
      ref,
      { kind: "delivered", change: refChange(ref, undefined, oid), upToDate: false },
    ]),
  );
  const settled = ledger.note(step.url, ends);
  await run.settle(settled);
}

/** A lease expects what the remote had when the push was queued, or what our own earlier batch has pushed there since. */
async function withLeases(
  run: Run,
  { url }: PushStep,
  sources: readonly PushSource[],
): Promise<readonly PushSource[]> {
  const leased = sources.filter(({ lease }) => lease);
  if (leased.length === 0) return sources;
  const pushed = await pushedNotes(run.deps.recall, url);
  return sources.map((source) => {
    const now = pushed.get(source.ref);
    const { lease } = source;
    return lease && now !== undefined && now !== lease.pushed
      ? { ...source, lease: { ...lease, expect: now } }
      : source;
  });
}

/** Notes what is on the remote now, moves tracking refs where git does not, sets upstreams. */
async function keepBooks(
  run: Run,
  step: PushStep,
  chunk: readonly PushSource[],
  ends: ReadonlyMap<string, RefEnd>,
  ledger: PushLedger,
  state: RepositoryState,
): Promise<void> {
  const delivered = chunk.flatMap((source) => {
    const end = ends.get(source.ref);
    return end?.kind === "delivered" ? [{ ...source, oid: end.change.new }] : [];
  });
  const branches = delivered.filter(({ ref }) => ref.startsWith("refs/heads/"));
  const follows = !step.byName && tracksPlainly(state, step);
  const moves = branches.map(({ ref, oid }) => ({
    ref: `refs/remotes/${step.remote}/${shortName(ref)}`,
    next: oid,
  }));
  try {
    await notePushed(run.deps, step.url, branches);
    if (follows) await run.patiently(() => moveRefs(run.git, run.commonDir, moves, "batch-control: pushed"));
  } catch (error) {
    run.context.log.warn(`what was pushed could not be noted: ${failureOf(error).error}`);
  }
  for (const { ref, operations } of branches) {
    const asking = operations.filter((item) => item.kind === "push" && item.setUpstream);
    if (asking.length > 0) await setUpstream(run, step, ref, asking, ledger, state);
  }
}

const tracksPlainly = (state: RepositoryState, { remote, worktree }: PushStep): boolean =>
  state.configs.get(worktree)?.get(`remote.${remote}.fetch`) === `+refs/heads/*:refs/remotes/${remote}/*`;

async function setUpstream(
  run: Run,
  step: PushStep,
  ref: string,
  asking: readonly Pusher[],
  ledger: PushLedger,
  state: RepositoryState,
): Promise<void> {
  const branch = shortName(ref);
  const cwd = state.places.get(step.worktree) ?? run.commonDir;
  try {
    if (branch.startsWith("-")) throw new Error("git cannot name this branch there");
    await run.patiently(() =>
      run.git.must(cwd, ["branch", "-q", `--set-upstream-to=refs/remotes/${step.remote}/${branch}`, branch]),
    );
  } catch (error) {
    const warning = `pushed, but the upstream of ${branch} could not be set: ${failureOf(error).error}`;
    run.context.log.warn(warning);
    for (const { operation } of asking) ledger.warnings.set(operation.id, warning);
  }
}
