import assert from "node:assert/strict";
import { git } from "../support/sample.ts";
import { useSampleWorkbench } from "../support/workbench/fixtures.ts";
import type { TreeView } from "../support/workbench/tree-view.ts";
import { until } from "../support/workbench/until.ts";
import type { WorkbenchWindow } from "../support/workbench/window.ts";

interface State {
  readonly git: { readonly queued: readonly { readonly id: string; readonly label: string }[] };
}

describe("Changing one's mind", () => {
  const fixture = useSampleWorkbench();
  let window: WorkbenchWindow;
  const run = <Result>(name: string, ...args: unknown[]): Promise<Result> =>
    window.bridge.command<Result>(`batchControl.${name}`, ...args);
  const labels = async (): Promise<string[]> =>
    (await run<State>("getState", {})).git.queued.map(({ label }) => label);

  /** A row that the editor is about to draw anew cannot be chosen from a menu: its old self is gone. */
  const settled = async (label: string): Promise<TreeView> => {
    const view = window.view("Queue");
    let last = "";
    await until(`a tree at rest with ${label}`, async () => {
      await new Promise((resolve) => setTimeout(resolve, 700));
      const now = JSON.stringify(await view.rows());
      const rests = now === last && now.includes(label);
      last = now;
      return rests;
    });
    return view;
  };

  before(async () => {
    window = await fixture.workbench.open(fixture.sample.workspace);
    await run("pause", {});
    await window.openViewContainer("Batch Control");
  });

  it("edits a queued message from its row, beginning with what it is", async () => {
    const { path, files } = fixture.sample.worktrees[0]!;
    await run("enqueueCommit", { worktree: path, message: "First words", files });
    const view = await settled("First words");
    await view.contextAction("First words", "Edit Queued Operation");
    await window.quickInput.shown("What to change");
    await window.quickInput.pick("Message");
    await window.quickInput.shown("Message");
    await until("the present message", async () => (await window.quickInput.value()) === "First words");
    await window.quickInput.type("Better words");
    await window.quickInput.accept();
    await view.waitForRow("Better words");
    assert.deepEqual(await labels(), ["Better words"]);
  });

  it("moves a queued push up from its row", async () => {
    const { path } = fixture.sample.worktrees[0]!;
    await run("enqueuePush", { worktree: path, branch: "main" });
    const view = await settled("main → origin");
    await view.contextAction("main → origin", "Move Up");
    await until("the new order", async () => (await labels())[0] === "main → origin");
    await view.inlineAction("main → origin", "Cancel Operation");
    await until("one operation", async () => (await labels()).length === 1);
  });

  it("undoes a batch: the branch is back, what it committed is a change again", async () => {
    const { path, branch, files } = fixture.sample.worktrees[0]!;
    const before = await git(path, "rev-parse", branch);
    const { batches } = await run<{ batches: { id: string }[] }>("flush", { kind: "git", wait: true });
    assert.notEqual(await git(path, "rev-parse", branch), before);
    const report = await run<{ restored: string[]; left: unknown[] }>("undoBatch", { id: batches[0]!.id });
    assert.deepEqual(report, { restored: [`refs/heads/${branch}`], left: [] });
    assert.equal(await git(path, "rev-parse", branch), before);
    const changed = await git(path, "status", "--porcelain", "--untracked-files=all");
    for (const file of files) assert.ok(changed.includes(file), changed);
  });

  it("refuses to undo what is not a finished git batch, naming the field", async () => {
    await assert.rejects(
      run("undoBatch", { id: "019a0000-0000-7000-8000-000000000000" }),
      /^Error: id: |^id: |id: there is no batch/,
    );
    await assert.rejects(run("undoBatch", {}), /id: is missing/);
  });
});
