import { isOpen } from "../core/effect.ts";
import type { Effect } from "../core/effect.ts";
import type { Settlement } from "../core/journal.ts";
import { syncBranch } from "./commit-phase.ts";
import type { RefsPlan } from "./commit-phase.ts";
import type { CommitPlan } from "./commit-outcome.ts";
import { failureOf } from "./git-error.ts";
import { kept, landing, withItem } from "./kept.ts";
import type { ForwardPlan } from "./forward.ts";
import { warned } from "./outcomes.ts";
import { endOrphan, locksOfRefs, removeOwnLocks } from "./own-locks.ts";
import { deliveryKey } from "./push-phase.ts";
import type { PushResult } from "./push-phase.ts";
import type { PushIntent } from "./push-process.ts";
import { readRefs } from "./refs.ts";
import { remoteRefs } from "./remote-access.ts";
import { pushUrls, withoutSecrets } from "./remotes.ts";
import type { Worktree } from "./repository.ts";
import type { Run } from "./run.ts";
import { holds, settleCommit, worktreesOf } from "./settle-commit.ts";
import { settleForward } from "./settle-forward.ts";
import { noteUndo } from "./undo-notes.ts";
import { knownUndo, undoNew, undoPrefix } from "./undo-refs.ts";
import { exists } from "./worktree-state.ts";

/**
 * Finds out what became of the steps of earlier turns, before anything else is done: what happened is kept, what did not
 * happen is planned anew. Nothing is ever done twice because of it. Answers the branches that this batch moved before.
 */
export async function reconcile(run: Run): Promise<Set<string>> {
  const effects = await run.context.effects();
  if (effects.length === 0) return new Set();
  const noted = await readRefs(run.git, run.commonDir, undoPrefix(run.batch.id));
  const undoKnown = knownUndo(run.batch.id, [...noted.keys()]);
  const worktrees = await worktreesOf(run);
  for (const effect of effects) {
    if (effect.state === "done") remember(run, effect);
    else if (isOpen(effect.state)) await settleOpen(run, effect, worktrees, undoKnown);
    if (effect.kind === "commit") noteUnwatched(run, effect);
  }
  await noteLastCommits(run, noted, undoKnown);
  return undoKnown;
}

/** Where a branch's commits ended is noted after the last of them, which a crash may have prevented. */
async function noteLastCommits(
  run: Run,
  noted: ReadonlyMap<string, string>,
  undoKnown: Set<string>,
): Promise<void> {
  const last = new Map<string, { readonly old: string; readonly made: string }>();
  for (const { kind, state, plan, result } of await run.context.effects()) {
    if (state !== "done") continue;
    if (kind === "refs" || kind === "ff")
      for (const { ref } of (JSON.parse(plan) as RefsPlan).moves) last.delete(ref);
    if (kind !== "commit" || result === undefined) continue;
    const { ref, old } = JSON.parse(plan) as CommitPlan;
    // From the first of them on, for nothing is noted yet where that failed.
    last.set(ref, {
      old: last.get(ref)?.old ?? old,
      made: (JSON.parse(result) as { readonly commit: string }).commit,
    });
  }
  for (const [ref, { old, made }] of last) {
    if (noted.get(undoNew(run.batch.id, ref)) !== made) await noteUndo(run, ref, old, made, undoKnown);
  }
}

/** Finished steps that operations still wait behind. */
function remember(run: Run, { kind, plan, result }: Effect): void {
  if (kind === "refs" || kind === "ff") {
    for (const { id, ref, old, new: next } of (JSON.parse(plan) as RefsPlan).operations) {
      if (run.item(id)?.kind === "merge") run.landed.set(id, landing(ref, old, next));
    }
  }
  if (kind === "push" && result !== undefined) {
    const { url } = JSON.parse(plan) as PushIntent;
    for (const { ref, oid } of (JSON.parse(result) as PushResult).delivered)
      run.delivered.add(deliveryKey(url, ref, oid));
  }
}

/** As soon as its process is noted, it has ended before anything else is done. */
function noteUnwatched(run: Run, { state, process, plan }: Effect): void {
  if (process || state === "done" || state === "failed") return;
  const commit = JSON.parse(plan) as CommitPlan;
  const known = run.unwatched.get(commit.id) ?? [];
  // To look for one is a step as well, which has no process either.
  if (known.some(({ ref, old }) => ref === commit.ref && old === commit.old)) return;
  run.unwatched.set(commit.id, [...known, commit]);
}

async function settleOpen(
  run: Run,
  effect: Effect,
  worktrees: readonly Worktree[],
  undoKnown: Set<string>,
): Promise<void> {
  await endOrphan(run, effect);
  switch (effect.kind) {
    case "refs":
      await settleRefs(run, effect, JSON.parse(effect.plan) as RefsPlan, worktrees, undoKnown);
      break;
    case "ff":
      await settleForward(run, effect, JSON.parse(effect.plan) as ForwardPlan, undoKnown);
      break;
    case "commit":
      await settleCommit(run, effect, JSON.parse(effect.plan) as CommitPlan, undoKnown);
      break;
    case "push":
      await settlePush(run, effect, JSON.parse(effect.plan) as PushIntent);
      break;
    default:
      await run.outcome({ effect: { n: effect.n, state: "abandoned" } });
  }
}

async function settleRefs(
  run: Run,
  effect: Effect,
  plan: RefsPlan,
  worktrees: readonly Worktree[],
  undoKnown: Set<string>,
): Promise<void> {
  const settled: Settlement[] = [];
  let happened = false;
  const refs = plan.moves.map(({ ref }) => ref);
  const touched = worktrees.filter(({ branch }) => branch !== undefined && refs.includes(branch));
  const gitDirs = touched.flatMap(({ gitDir }) => gitDir ?? []);
  await removeOwnLocks(run, effect, await locksOfRefs(run, refs, gitDirs));
  for (const move of plan.moves) {
    if (!(await holds(run, move.ref, move.new))) continue;
    happened = true;
    undoKnown.add(move.ref);
    const done = plan.operations
      .filter(({ ref }) => ref === move.ref)
      .flatMap((entry) => withItem(run, entry));
    const worktree = worktrees.find(({ branch }) => branch === move.ref);
    const commits = done.flatMap(({ item }) => (item.kind === "commit" ? [item] : []));
    const step = { branch: move.ref, operations: commits, ...(worktree ? { worktree } : {}) };
    const warning = commits.length > 0 ? await syncBranch(run, step, commits) : undefined;
    const detail = { engine: "fast", recovered: true, ...warned(warning) };
    for (const { item, entry } of done)
      settled.push(...kept(run, item, entry, item.kind === "commit" ? detail : {}));
  }
  await run.outcome({ effect: { n: effect.n, state: happened ? "done" : "abandoned" }, settled });
}

/** What the remote has is delivered; the rest is pushed again. */
async function settlePush(run: Run, { n, state }: Effect, plan: PushIntent): Promise<void> {
  const delivered: { ref: string; oid: string }[] = [];
  const cwd = (await exists(plan.worktree)) ? plan.worktree : run.commonDir;
  try {
    const urls = await pushUrls(run.git, cwd, plan.remote);
    const address = plan.byName ? plan.remote : urls.find((url) => withoutSecrets(url) === plan.url);
    const refs = plan.refs.map(({ ref }) => ref);
    const ids = plan.refs.flatMap(({ operations }) => operations);
    const there =
      address === undefined
        ? new Map<string, string>()
        : await run.checking(ids, () => remoteRefs(run, cwd, address, refs));
    for (const { ref, oid } of plan.refs)
      if (await contains(run, cwd, there.get(ref), oid)) delivered.push({ ref, oid });
  } catch (error) {
    // Pushing again is harmless and says what is wrong with the remote.
    run.context.log.warn(`what an interrupted push had delivered is not known: ${failureOf(error).error}`);
  }
  for (const { ref, oid } of delivered) run.delivered.add(deliveryKey(plan.url, ref, oid));
  const ran = state === "started" || delivered.length > 0;
  await run.outcome({
    effect: {
      n,
      state: delivered.length > 0 ? "done" : "abandoned",
      result: { delivered } satisfies PushResult,
    },
    ...(ran ? { stats: { "git.pushesExecuted": 1 } } : {}),
  });
}

async function contains(run: Run, cwd: string, there: string | undefined, oid: string): Promise<boolean> {
  if (there === undefined || there === oid) return there === oid;
  return (await run.git.run(cwd, ["merge-base", "--is-ancestor", oid, there])).exitCode === 0;
}
