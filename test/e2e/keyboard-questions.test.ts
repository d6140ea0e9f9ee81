import assert from "node:assert/strict";
import { mkdir, readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { useKeyboard } from "../support/workbench/keyboard-fixture.ts";
import { until } from "../support/workbench/until.ts";

describe("Questions, notifications and menus, by keyboard alone", () => {
  const desk = useKeyboard({
    settings: {
      "batchControl.git.autoFlush": false,
      "batchControl.git.protectedBranches": ["ma*"],
      "batchControl.llm.autoFlush": false,
      "batchControl.notifications.batchFinished": "always",
    },
  });
  const { clipboard, run, state } = desk;
  const at = (name: string): string => path.join(desk.sample.root, name);
  const ask = (prompt: string): Promise<unknown> =>
    run("enqueueRequest", { type: "judge", model: "claude-haiku-4-5", prompt });
  const answered = async (): Promise<number> =>
    (await state()).llm.executed.filter(({ status }) => status === "completed").length;

  afterEach(() => run("clear", {}));

  it("is asked before a protected branch is pushed, and before more is spent than the limit", async () => {
    const { keys, window, workbench } = desk;
    for (const [button, count] of [
      ["Cancel", 0],
      ["Push", 1],
    ] as const) {
      await keys.command("Batch Control: Queue Push");
      await keys.choose("Worktree", "main");
      await keys.choose("Push which branch?", "main");
      await keys.answer("Queue it all the same?", button);
      await until(`${count} queued`, async () => (await state()).git.queuedCount === count);
    }
    await run("clear", {});
    await workbench.server.setSettings({ "batchControl.llm.maxCostPerFlush": 0.000001 });
    await window.waitForSetting("batchControl.llm.maxCostPerFlush", 0.000001);
    await ask("Is it worth it?");
    await keys.command("Batch Control: Flush Now");
    await keys.answer("Send requests: 1?", "Cancel");
    await until("it still queued", async () => (await state()).llm.queuedCount === 1);
    await keys.command("Batch Control: Flush Now");
    await keys.answer("Send requests: 1?", "Send");
    await until("the answer", async () => (await answered()) === 1);
    await keys.answerToast("An LLM batch has finished.", "Show Panel");
    await window.webview("[data-chart=trips]");
    await keys.command("View: Close All Editors");
    await workbench.server.setSettings({ "batchControl.llm.maxCostPerFlush": 0 });
    await window.waitForSetting("batchControl.llm.maxCostPerFlush", 0);
  });

  it("saves and exports the results of a batch from its row, whose menu the menu key opens, too", async () => {
    const { keys, queue, window } = desk;
    await mkdir(at("from-row"));
    await queue.goTo(/^LLM/);
    await keys.moveTo("ArrowDown", /^Finished/);
    await keys.press("ArrowRight");
    await keys.moveTo("ArrowDown", /^judge/);
    await keys.fromMenu("Save All Results of Batch");
    await keys.choosePath("Save All Results", `${at("from-row")}/`, "..");
    await until("its file", async () => (await readdir(at("from-row"))).join() === "Is it worth it.md");
    await queue.goTo(/^judge/);
    await keys.fromMenu("Export LLM Results");
    await keys.choosePath("Export LLM Results", at("from-row.jsonl"), "shop");
    await window.notifications.waitFor("Results written: 1");
    const [line = ""] = (await readFile(at("from-row.jsonl"), "utf8")).split("\n");
    await queue.goTo(/^judge/);
    await keys.press("ContextMenu");
    await keys.fromOpenMenu("Copy Id");
    const [batch] = (await state()).llm.executed;
    await until("the batch's id", async () => (await clipboard()) === batch!.id);
    assert.match(line, /"custom_id":/);
  });

  it("switches off what tells of finished batches, from where it does so", async () => {
    const { keys, window } = desk;
    await window.bridge.command("notifications.clearAll");
    await ask("Is it finished?");
    await keys.command("Batch Control: Flush Now");
    await keys.answerToast("An LLM batch has finished.", "Don't Show Again");
    await window.waitForSetting("batchControl.notifications.batchFinished", "never");
  });
});
