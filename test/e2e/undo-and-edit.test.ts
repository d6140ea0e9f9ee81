import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
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

  const shown = async (label: string): Promise<TreeView> => {
    const view = window.view("Queue");
    await view.waitForRow(label);
    return view;
  };

  before(async () => {
    window = await fixture.workbench.open(fixture.sample.workspace);
    await run("pause", {});
    await window.openViewContainer("Batch Control");
  });

  /** Replaces the whole text of the document that shows `before`, and saves it. */
  async function write(before: string, after: string): Promise<void> {
    const { page } = window;
    await page.locator(".view-lines", { hasText: before }).waitFor();
    await page.keyboard.press("Control+A");
    await page.keyboard.insertText(after);
    await page.keyboard.press("Control+S");
  }

  it("edits a queued message from its row, beginning with what it is", async () => {
    const { path, files } = fixture.sample.worktrees[0]!;
    await run("enqueueCommit", { worktree: path, message: "First words", files });
    const view = await shown("First words");
    await view.contextAction("First words", "Edit Queued Operation");
    await window.quickInput.shown("What to change");
    await window.quickInput.pick("Message");
    await write("First words", "Better words\n\nAnd why");
    await view.waitForRow("Better words");
    assert.deepEqual(await labels(), ["Better words"]);
  });

  it("takes back nothing that was written where the operation has gone: saving fails and says why", async () => {
    const { path } = fixture.sample.worktrees[1]!;
    const { id } = await run<{ id: string }>("enqueueCommit", {
      worktree: path,
      message: "Short lived",
      files: [...fixture.sample.worktrees[1]!.files],
    });
    const view = await shown("Short lived");
    await view.contextAction("Short lived", "Edit Queued Operation");
    await window.quickInput.shown("What to change");
    await window.quickInput.pick("Message");
    await window.page.locator(".view-lines", { hasText: "Short lived" }).waitFor();
    await run("cancelOperation", { id });
    await write("Short lived", "Too late");
    await window.notifications.waitFor(/"Short lived" is cancelled and cannot be edited any more; retry it/);
    await window.page.locator(".view-lines", { hasText: "Too late" }).waitFor();
    await window.notifications.dismissAll();
    await window.bridge.command("workbench.action.revertAndCloseActiveEditor");
  });

  it("edits the files of a queued commit, with the queued ones ticked", async () => {
    const { path, files } = fixture.sample.worktrees[0]!;
    await writeFile(join(path, "more.txt"), "more\n");
    const view = await shown("Better words");
    await view.contextAction("Better words", "Edit Queued Operation");
    await window.quickInput.shown("What to change");
    await window.quickInput.pick("Files");
    await window.quickInput.shown("Files to commit");
    await window.quickInput.tick("more.txt");
    await window.quickInput.accept();
    await until("the new files", async () => {
      const [operation] = await run<{ detail?: unknown }[]>("getOperations", { status: "queued", limit: 1 });
      return files.concat("more.txt").every((file) => JSON.stringify(operation).includes(file));
    });
  });

  it("edits how a queued merge is made and whether it is pushed, beginning with how it is now", async () => {
    const { branch } = fixture.sample.worktrees[0]!;
    const { quickInput } = window;
    const label = `${branch} → main`;
    await run("enqueueMerge", { worktree: fixture.sample.clone, source: branch, target: "main" });
    const view = await shown(label);
    const edit = async (row: string, field: string, now: string): Promise<void> => {
      await view.contextAction(row, "Edit Queued Operation");
      await quickInput.shown("What to change");
      const items = await quickInput.items();
      assert.equal(items.find((item) => item.label === field)?.description, now);
      await quickInput.pick(field);
      await quickInput.shown(field);
      await until("the answers", async () => {
        const [first] = await quickInput.items();
        return first?.label === now && first.description === "as it is now";
      });
    };
    await edit(label, "How to merge", "Merge commit");
    await quickInput.pick("Squash into one commit");
    await until("a squash", async () =>
      JSON.stringify(await run("getState", {})).includes('"mode":"squash"'),
    );
    await edit(label, "Push afterwards", "Merge only");
    await quickInput.pick("Merge and push");
    await view.waitForRow(`${label} → origin`);
    await run("enqueuePush", { worktree: fixture.sample.worktrees[0]!.path });
    await view.waitForRow(`${branch} → origin`);
    for (const [field, now] of [
      ["Branch", branch],
      ["Remote", "origin"],
    ] as const) {
      await edit(`${branch} → origin`, field, now);
      await quickInput.cancel();
    }
    for (const row of [`${label} → origin`, `${branch} → origin`]) {
      await view.inlineAction(row, "Cancel Operation");
      await until("one less", async () => !(await labels()).includes(row));
    }
  });

  it("moves a queued push up from its row", async () => {
    const { path } = fixture.sample.worktrees[0]!;
    await run("enqueuePush", { worktree: path, branch: "main" });
    const view = await shown("main → origin");
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

  it("shows what failed, with what was said, without anybody having to open its batch", async () => {
    const { path, files } = fixture.sample.worktrees[0]!;
    const hook = join(fixture.sample.clone, ".git", "hooks", "pre-commit");
    await writeFile(hook, "#!/bin/sh\nsleep 1\necho too long\nexit 1\n", { mode: 0o755 });
    try {
      await run("enqueueCommit", { worktree: path, message: "Refused", files });
      await run("flush", { kind: "git", wait: true });
    } finally {
      await rm(hook);
    }
    await until("the row of what failed", async () =>
      (await window.view("Queue").rows()).some(
        ({ label, description }) => label === "Refused" && description.includes("too long"),
      ),
    );
  });

  it("refuses to undo what is not a finished git batch, naming the field", async () => {
    await assert.rejects(
      run("undoBatch", { id: "019a0000-0000-7000-8000-000000000000" }),
      /^Error: id: |^id: |id: there is no batch/,
    );
    await assert.rejects(run("undoBatch", {}), /id: is missing/);
  });
});
