import assert from "node:assert/strict";
import type { GitPreviewData } from "../../../src/git/index.ts";
import type { Sandbox } from "../../unit/git/sandbox.ts";
import type { Happened } from "./plan-check.ts";
import type { PushRun } from "./trace.ts";

/** Ends after which nothing of an operation was sent. */
const notSent = new Set(["dependency", "unknown-branch"]);

/** The pushes that git ran are those of the plan: addresses, refs and their order, leases, atomicity, number of runs. */
export function checkPushes(
  sandbox: Sandbox,
  plans: readonly GitPreviewData[],
  runs: readonly PushRun[],
  happened: Happened,
): void {
  const { morePushes = 0 } = happened.surprises;
  assert.ok(plans.length <= 1, "which repository a push ran in is not traced");
  const wanted = plans.flatMap((plan) =>
    plan.pushes.map((push) => ({ push, folder: plan.group.slice("git:".length) })),
  );
  const open = new Set(runs);
  let counted = 0;
  for (const { push, folder } of wanted) {
    const sent = push.refs.filter(({ operations }) => operations.some((id) => wasSent(plans, id, happened)));
    const own = runs.filter(({ destination }) => addressOf(sandbox, folder, destination) === push.url);
    own.forEach((run) => open.delete(run));
    const refs = own.flatMap((run) => run.refs);
    const names = sent.map(({ ref }) => ref);
    if (morePushes === 0) assert.deepEqual(refs, names, `refs pushed to ${push.url}`);
    else assert.deepEqual(new Set(refs), new Set(names), `refs pushed to ${push.url}`);
    assert.deepEqual(
      new Set(own.flatMap((run) => run.leased)),
      new Set(sent.filter(({ lease }) => lease).map(({ ref }) => ref)),
    );
    for (const run of own) assert.equal(run.atomic, push.atomic);
    counted += sent.length === push.refs.length ? push.processes : Math.min(push.processes, sent.length);
  }
  assert.deepEqual([...open], [], "pushes that were not planned");
  assert.equal(runs.length, counted + morePushes, "git push runs");
}

/** A merge that landed was sent whatever became of its push; a push was sent unless something before it failed. */
function wasSent(plans: readonly GitPreviewData[], id: string, { result }: Happened): boolean {
  const { status, reason = "", commit } = result(id);
  const isMerge = plans.some((plan) =>
    plan.merges.some(({ operations }) => operations.some((own) => own.id === id)),
  );
  return status === "succeeded" || (isMerge ? commit !== undefined : !notSent.has(reason));
}

/** A remote with one address is pushed to by its name. */
function addressOf(sandbox: Sandbox, folder: string, destination: string): string {
  return sandbox.gitWorks(folder, "remote", "get-url", "--push", "--", destination)
    ? sandbox
        .git(folder, "remote", "get-url", "--push", "--", destination)
        .trim()
        .replace(/^(\w[\w+.-]*:\/\/)[^@/]*@/, "$1")
    : destination;
}
