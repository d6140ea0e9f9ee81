import assert from "node:assert/strict";
import type { Result } from "../../src/core/result.ts";
import type { Snapshot } from "../../src/core/snapshot.ts";
import { git } from "../support/sample.ts";
import { useSampleWorkbench } from "../support/workbench/fixtures.ts";
import { until } from "../support/workbench/until.ts";
import type { WorkbenchWindow } from "../support/workbench/window.ts";

const leads = async (window: WorkbenchWindow): Promise<boolean> =>
  (await window.bridge.command<Snapshot>("batchControl.getState", {})).lanes.some(
    ({ lane, held }) => lane.startsWith("git:") && held,
  );

describe("A window that hangs while it leads", () => {
  const fixture = useSampleWorkbench();
  let other: WorkbenchWindow;
  let id: string;
  let tookSilently: boolean;

  // The minute that it takes passes beside the tests of another file.
  before(async function () {
    this.timeout(180_000);
    const [one] = fixture.sample.worktrees;
    const hanging = await fixture.workbench.open(fixture.sample.clone);
    await until("the first window to lead", () => leads(hanging));
    other = await fixture.workbench.open(one!.path);
    await other.bridge.command("batchControl.pause", {});
    process.kill(hanging.bridge.pid, "SIGSTOP");
    const input = { worktree: one!.path, message: "Waits for a leader", files: one!.files };
    ({ id } = await other.bridge.command<{ id: string }>("batchControl.enqueueCommit", input));
    await other.bridge.command("batchControl.flush", { kind: "git" });
    tookSilently = await leads(other);
    await until(
      "the offer",
      async () =>
        (await other.notifications.shown()).some(({ message }) => message.includes("not responded")),
      { timeout: 110_000, interval: 500 },
    );
  });

  it("is offered to the person in another window, who takes over and finishes the work", async () => {
    const [one] = fixture.sample.worktrees;
    assert.equal(tookSilently, false);
    await other.notifications.press(/not responded/, "Take Over");
    const result = await other.bridge.evaluate(
      ({ api }, wanted) => (api as { resultOf(id: string): Promise<Result> }).resultOf(wanted),
      id,
    );
    assert.equal(result.status, "succeeded");
    assert.equal(await git(one!.path, "log", "-1", "--format=%s"), "Waits for a leader");
    assert.equal(await leads(other), true);
  }).timeout(180_000);
});
