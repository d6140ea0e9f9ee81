import assert from "node:assert/strict";
import { access, chmod, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import type { Result } from "../../src/core/result.ts";
import type { Snapshot } from "../../src/core/snapshot.ts";
import { git, receivedPushes } from "../support/sample.ts";
import { useDemoWorkbench } from "../support/workbench/fixtures.ts";
import { until } from "../support/workbench/until.ts";
import type { WorkbenchWindow } from "../support/workbench/window.ts";

const state = (window: WorkbenchWindow): Promise<Snapshot> =>
  window.bridge.command<Snapshot>("batchControl.getState", {});
const enqueue = async (window: WorkbenchWindow, kind: string, input: object): Promise<string> =>
  (await window.bridge.command<{ id: string }>(`batchControl.enqueue${kind}`, input)).id;

/** What the details of an operation say about where it was queued. */
async function queuedIn(window: WorkbenchWindow, id: string): Promise<string | undefined> {
  await window.bridge.command("batchControl.openDetails", { id });
  const text = await window.bridge.evaluate(
    ({ vscode }, wanted) =>
      vscode.workspace.textDocuments.find(({ uri }) => uri.path.includes(wanted))?.getText(),
    id,
  );
  return /^- Queued in: (.*)$/m.exec(text ?? "")?.[1];
}

/** The remote takes a push only once this file is there. */
async function makeRemoteWait(
  remote: string,
): Promise<{ release: () => Promise<void>; reached: () => Promise<boolean> }> {
  const gate = path.join(remote, "gate");
  const reached = path.join(remote, "reached");
  const hook = path.join(remote, "hooks", "pre-receive");
  await writeFile(
    hook,
    `#!/bin/sh\ntouch '${reached}'\nfor i in $(seq 600); do [ -e '${gate}' ] && exit 0; sleep 0.1; done\nexit 1\n`,
  );
  await chmod(hook, 0o755);
  return {
    release: () => writeFile(gate, ""),
    reached: () => exists(reached),
  };
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

describe("Two windows on one repository", () => {
  const fixture = useDemoWorkbench();
  let first: WorkbenchWindow;
  let second: WorkbenchWindow;

  before(async () => {
    first = await fixture.workbench.open(fixture.sample.clone);
    second = await fixture.workbench.open(fixture.sample.worktrees[0]!.path);
    await first.bridge.command("batchControl.pause", {});
  });

  it("share one queue, and one push leaves", async () => {
    const [one, two] = fixture.sample.worktrees;
    await enqueue(first, "Commit", {
      worktree: two!.path,
      message: "From the first window",
      files: two!.files,
    });
    await enqueue(first, "Push", { worktree: two!.path });
    const commit = await enqueue(second, "Commit", {
      worktree: one!.path,
      message: "From the second window",
      files: one!.files,
    });
    await enqueue(second, "Push", { worktree: one!.path });
    await until(
      "both windows to show four operations",
      async () => (await state(first)).git.queuedCount === 4 && (await state(second)).git.queuedCount === 4,
    );
    const place = `\`${path.basename(one!.path)}\` on \`${hostname()}\``;
    assert.equal(await queuedIn(first, commit), place);
    assert.equal(await queuedIn(second, commit), `${place} (this window)`);
    const lanes = [...(await state(first)).lanes, ...(await state(second)).lanes].filter(({ lane }) =>
      lane.startsWith("git:"),
    );
    assert.equal(lanes.length, 2);
    assert.equal(lanes.filter(({ held }) => held).length, 1, "one window leads the repository");
    const { outcomes } = await second.bridge.command<{ outcomes: Record<string, string> }>(
      "batchControl.flush",
      { kind: "git", wait: true },
    );
    assert.deepEqual(Object.values(outcomes), ["succeeded", "succeeded", "succeeded", "succeeded"]);
    assert.equal((await receivedPushes(fixture.sample)).length, 1);
  });

  it("finish each other's work when one is killed in the middle of a push", async () => {
    const three = fixture.sample.worktrees[2]!;
    const gate = await makeRemoteWait(fixture.sample.remote);
    const leader =
      (await state(first)).lanes.find(({ lane }) => lane.startsWith("git:"))?.held === true ? first : second;
    const other = leader === first ? second : first;
    const commit = await enqueue(other, "Commit", {
      worktree: three.path,
      message: "Survives",
      files: three.files,
    });
    const push = await enqueue(other, "Push", { worktree: three.path });
    await other.bridge.command("batchControl.flush", { kind: "git" });
    await until("the push to reach the remote", gate.reached);
    process.kill(leader.bridge.pid, "SIGKILL");
    await until("the other window to lead", async () =>
      (await state(other)).lanes.some(({ lane, held }) => lane.startsWith("git:") && held),
    );
    await gate.release();
    const results = await Promise.all([commit, push].map((id) => settled(other, id)));
    assert.deepEqual(
      results.map(({ status }) => status),
      ["succeeded", "succeeded"],
    );
    assert.equal(await git(three.path, "rev-list", "--count", "main..HEAD"), "1", "one commit, not two");
    assert.equal(
      await git(fixture.sample.remote, "rev-parse", `refs/heads/${three.branch}`),
      await git(three.path, "rev-parse", "HEAD"),
    );
    await leader.reconnect();
  });

  it("still have the queue, and deliver results, after a reload and after closing all windows", async () => {
    const running = await enqueue(first, "Request", {
      type: "judge",
      model: "claude-opus-5-5",
      prompt: "Long work",
    });
    fixture.simulator.misbehave({
      match: { method: "GET", path: /results$/ },
      do: [{ kind: "delay", ms: 3_000 }],
      times: 1,
    });
    await first.bridge.command("batchControl.flush", { kind: "llm" });
    await until(
      "the batch at the provider",
      async () => (await state(first)).llm.executing[0]?.remoteId !== undefined,
    );
    await first.reload();
    assert.equal((await settled(first, running)).text, "Answer to: Long work");

    const waiting = await enqueue(first, "Request", {
      type: "judge",
      model: "claude-opus-5-5",
      prompt: "Later",
    });
    await second.close();
    await first.close();
    const third = await fixture.workbench.open(fixture.sample.worktrees[1]!.path);
    const { llm, paused } = await state(third);
    assert.deepEqual(
      llm.queued.map(({ id }) => id),
      [waiting],
    );
    assert.equal(paused.llm, true, "pausing outlives the windows too");
    await third.bridge.command("batchControl.flush", { kind: "llm", wait: true });
    assert.equal((await settled(third, waiting)).text, "Answer to: Later");
    const created = fixture.simulator.requests.filter(
      ({ method, path: at }) => method === "POST" && at === "/v1/messages/batches",
    );
    assert.equal(created.length, 2, "nothing was sent twice");
  });
});

const settled = (window: WorkbenchWindow, id: string): Promise<Result> =>
  window.bridge.evaluate(
    ({ api }, wanted) => (api as { resultOf(id: string): Promise<Result> }).resultOf(wanted),
    id,
  );
