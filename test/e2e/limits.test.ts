import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { git } from "../support/sample.ts";
import { useSampleWorkbench } from "../support/workbench/fixtures.ts";
import { until } from "../support/workbench/until.ts";
import type { WorkbenchWindow } from "../support/workbench/window.ts";

interface Plan {
  readonly git: readonly {
    readonly commits: readonly unknown[];
    readonly pushes: readonly { readonly refs: readonly unknown[]; readonly processes: number }[];
  }[];
  readonly llm: { readonly requests: number; readonly apiCalls: number; readonly estimatedCostUsd: number };
}

describe("Before something is done", () => {
  const fixture = useSampleWorkbench({
    settings: {
      "batchControl.git.autoFlush": false,
      "batchControl.llm.autoFlush": false,
      "batchControl.llm.maxCostPerFlush": 0.000001,
    },
    env: { ANTHROPIC_API_KEY: undefined, OPENAI_API_KEY: undefined },
  });
  let window: WorkbenchWindow;
  const run = <Result>(name: string, ...args: unknown[]): Promise<Result> =>
    window.bridge.command<Result>(`batchControl.${name}`, ...args);
  const ask = (prompt: string, type: string) =>
    run("enqueueRequest", { type, model: "claude-haiku-4-5", prompt });

  before(async () => {
    window = await fixture.workbench.open(fixture.sample.workspace);
    await window.openViewContainer("Batch Control");
  });

  afterEach(() => run("clear", {}));

  it("shows the plan as data and as a document, and changes nothing", async () => {
    for (const { path, files } of fixture.sample.worktrees) {
      await run("enqueueCommit", { worktree: path, message: "Work", files });
      await run("enqueuePush", { worktree: path });
    }
    await ask("one", "judge");
    await ask("two", "planner");
    const view = window.view("Queue");
    // The rows follow a burst of changes to its end.
    await until("all rows", async () => {
      const rows = await view.rows();
      const queued = rows.filter(({ label }) => label === "Queued").map(({ description }) => description);
      return queued.join() === "6,2" && rows.filter(({ label }) => label === "Work").length === 3;
    });
    const heads = () => git(fixture.sample.clone, "for-each-ref", "refs/heads");
    const before = await heads();
    const plan = await run<Plan>("previewFlush", {});
    assert.equal(plan.git[0]!.commits.length, 3);
    assert.deepEqual(
      plan.git[0]!.pushes.map(({ refs, processes }) => [refs.length, processes]),
      [[3, 1]],
    );
    assert.deepEqual([plan.llm.requests, plan.llm.apiCalls], [2, 2]);
    assert.ok(plan.llm.estimatedCostUsd > 0);
    assert.equal(await heads(), before);
    assert.equal(await readFile(`${fixture.sample.remote}/pushes.log`, "utf8"), "");
    await window.runCommand("Batch Control: Preview Flush");
    await window.page.locator(".tab", { hasText: "Flush plan.md" }).waitFor();
    const text = await window.bridge.evaluate(({ vscode }) =>
      vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === "batch-control-plan")?.getText(),
    );
    assert.match(text ?? "", /Push to [\s\S]*Runs of git push: 1[\s\S]*Estimated cost/);
  });

  it("refuses code a flush that may cost more than the limit, and asks a person", async () => {
    await ask("one", "judge");
    await assert.rejects(run("flush", { kind: "llm" }), /batchControl\.llm\.maxCostPerFlush/);
    await window.runCommand("Batch Control: Flush Now");
    await until("the question", async () =>
      (await window.notifications.dialog()).includes("limit for one flush"),
    );
    await window.notifications.pressInDialog("Cancel");
    assert.equal((await run<{ llm: { queuedCount: number } }>("getState", {})).llm.queuedCount, 1);
  });

  it("takes a changed limit at once; without a key all groups go back to the queue and the flush says why", async () => {
    await fixture.workbench.server.setSettings({ "batchControl.llm.maxCostPerFlush": 0 });
    await window.waitForSetting("batchControl.llm.maxCostPerFlush", 0);
    for (const type of ["judge", "planner", "implementer"]) await ask("one", type);
    await assert.rejects(run("flush", { kind: "llm", wait: true }), /API key/);
  });

  it("refuses code a push of a protected branch, naming the setting, and asks a person", async () => {
    await fixture.workbench.server.setSettings({ "batchControl.git.protectedBranches": ["ma*"] });
    await window.waitForSetting("batchControl.git.protectedBranches", ["ma*"]);
    const { clone } = fixture.sample;
    await assert.rejects(
      run("enqueuePush", { worktree: clone, branch: "main" }),
      /batchControl\.git\.protectedBranches/,
    );
    const { quickInput, notifications } = window;
    const queued = async () => (await run<{ git: { queuedCount: number } }>("getState", {})).git.queuedCount;
    for (const [button, count] of [
      ["Cancel", 0],
      ["Push", 1],
    ] as const) {
      await window.runCommand("Batch Control: Queue Push");
      await quickInput.shown("Worktree");
      await quickInput.pick("main");
      await quickInput.shown("Push which branch?");
      await quickInput.pick("main");
      await until("the question", async () =>
        (await notifications.dialog()).includes("protected by the pattern ma*"),
      );
      await notifications.pressInDialog(button);
      await until(`${count} queued`, async () => (await queued()) === count);
    }
  });

  it("asks about an edit that leads to a protected branch, too, and cancelled it changes nothing", async () => {
    const { quickInput, notifications } = window;
    const { path, branch } = fixture.sample.worktrees[0]!;
    const { id } = await run<{ id: string }>("enqueuePush", { worktree: path, branch });
    const labels = async () =>
      (await run<{ git: { queued: { label: string }[] } }>("getState", {})).git.queued.map(
        ({ label }) => label,
      );
    await assert.rejects(
      run("editOperation", { id, patch: { branch: "main" } }),
      /batchControl\.git\.protectedBranches/,
    );
    for (const [button, label] of [
      ["Cancel", `${branch} → origin`],
      ["Continue", "main → origin"],
    ] as const) {
      await window.runCommand("Batch Control: Edit Queued Operation");
      await quickInput.shown("Choose an operation");
      await quickInput.pick(`${branch} → origin`);
      await quickInput.shown("What to change");
      await quickInput.pick("Branch");
      await quickInput.shown("Branch");
      await quickInput.pick("main");
      await until("the question", async () =>
        (await notifications.dialog()).includes("main is protected by"),
      );
      await notifications.pressInDialog(button);
      await until(`the push ${label}`, async () => (await labels()).join() === label);
    }
  });

  it("asks about a merge into a protected branch, and cancelled it queues nothing", async () => {
    const { quickInput, notifications } = window;
    const { path, branch } = fixture.sample.worktrees[0]!;
    const input = { worktree: path, source: branch, target: "main" };
    await assert.rejects(run("enqueueMerge", input), /batchControl\.git\.protectedBranches/);
    for (const [button, count] of [
      ["Cancel", 0],
      ["Merge", 1],
    ] as const) {
      await window.runCommand("Batch Control: Queue Merge");
      await quickInput.shown("Merge which branch?");
      await quickInput.pick(branch);
      await quickInput.shown("into which branch?");
      await quickInput.pick("main");
      await quickInput.shown("How to merge");
      await quickInput.pick("Merge commit");
      await quickInput.shown("Push main afterwards?");
      await quickInput.pick("Merge only");
      await until("the question", async () =>
        (await notifications.dialog()).includes("main is protected by"),
      );
      await notifications.pressInDialog(button);
      await until(
        `${count} queued`,
        async () => (await run<{ git: { queuedCount: number } }>("getState", {})).git.queuedCount === count,
      );
    }
  });
});
