import assert from "node:assert/strict";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { keyOf } from "../support/simulator/http.ts";
import { useKeyboard } from "../support/workbench/keyboard-fixture.ts";
import { until } from "../support/workbench/until.ts";

const imported = ["basket-count", "basket-total", "judge-names", "plan-refunds", "receipt-line"];

describe("Requests and their results, by keyboard alone", () => {
  const desk = useKeyboard({
    settings: {
      "batchControl.llm.autoFlush": false,
      "batchControl.notifications.batchFinished": "always",
    },
    env: { ANTHROPIC_API_KEY: undefined },
  });
  const { run, state, shownPath, shownText } = desk;
  const at = (name: string): string => path.join(desk.sample.root, name);
  const queuedCount = async (): Promise<number> => (await state()).llm.queuedCount;
  const records = async (file: string) =>
    (await readFile(file, "utf8"))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { readonly custom_id: string });

  afterEach(async () => {
    await run("clear", {});
    await desk.window.bridge.command("notifications.clearAll");
  });

  it("sets a key where a flush lacks one, flushes with it out of the message about it, and forgets it", async () => {
    const { keys, window, simulator } = desk;
    const ask = (): Promise<unknown> =>
      run("enqueueRequest", { type: "judge", model: "claude-haiku-4-5", prompt: "Is it clear?" });
    await ask();
    await keys.command("Batch Control: Flush Now");
    await keys.answerToast(/API key/, "Set API Key");
    await keys.choose("Provider", "Anthropic");
    await keys.fill("API key, kept in", "typed-by-hand");
    await keys.answerToast("The key is kept. Requests waiting: 1.", "Flush Requests");
    await until("an answer", async () => (await state()).llm.executed.length === 1);
    const created = simulator.requests.filter(({ method }) => method === "POST");
    assert.deepEqual([...new Set(created.map(({ headers }) => keyOf(headers)))], ["typed-by-hand"]);
    await keys.answerToast("An LLM batch has finished.", "Open Results");
    await until("the result", async () => (await shownText()).includes("cost_usd"));
    await keys.command("Batch Control: Forget API Key");
    await keys.choose("Provider", "Anthropic");
    await ask();
    await keys.command("Batch Control: Flush Now");
    await window.notifications.waitFor(/API key/);
    assert.equal((await state()).llm.executed.length, 1);
    await run("setApiKey", { provider: "anthropic", key: "typed-by-hand" });
  });

  it("imports the good lines of a file whose bad ones it has read", async () => {
    const { keys, window } = desk;
    const good = JSON.stringify({ type: "judge", model: "claude-haiku-4-5", prompt: "Is it good?" });
    await writeFile(at("some-bad.jsonl"), `${good}\n{\n`);
    await keys.command("Batch Control: Import LLM Requests");
    await keys.choosePath("Import LLM Requests", at("some-bad.jsonl"), "some-bad.jsonl");
    await keys.answer("2: is not JSON", "Queue the Good Ones");
    await until("one queued request", async () => (await queuedCount()) === 1);
    await keys.answerToast("Requests queued: 1. Bad lines left out: 1.", "Show Queue");
    await until("the queue", () => window.page.locator(".pane .monaco-list:focus").count());
  });

  it("imports a file of the Explorer, flushes, and saves and exports the results", async () => {
    const { keys, queue, window } = desk;
    await keys.explorer();
    await keys.moveTo("ArrowDown", /^shop/);
    await keys.expand("prompts");
    await keys.moveTo("ArrowDown", /^prompts/);
    await keys.expand("requests.jsonl");
    await keys.moveTo("ArrowDown", "requests.jsonl");
    await keys.fromMenu("Import LLM Requests");
    await until("five queued requests", async () => (await queuedCount()) === imported.length);
    await queue.onRow(/^LLM/, "Flush Now");
    await until("all answers", async () => {
      const answered = (await state()).llm.executed.filter(({ status }) => status === "completed");
      return imported.every((name) =>
        answered.some(({ operations }) => operations.some(({ label }) => label.includes(name))),
      );
    });
    await keys.command("Batch Control: Export LLM Results");
    await keys.choosePath("Export LLM Results", at("results.jsonl"), "shop");
    await window.notifications.waitFor("Results written: ");
    const names = (await records(at("results.jsonl"))).map(({ custom_id }) => custom_id);
    for (const name of imported) assert.ok(names.includes(name), name);
    await mkdir(at("saved"));
    // With a result in view it would be the batch of that one.
    await keys.command("View: Close All Editors");
    await keys.command("Batch Control: Save All Results of Batch");
    await keys.choose("Choose a batch", "judge-names");
    await keys.choosePath("Save All Results", `${at("saved")}/`, "..");
    await until("its file", async () => (await readdir(at("saved"))).join() === "judge-names.md");
    await window.notifications.waitFor("Results saved: 1");
  });

  it("opens, compares and copies results from their rows", async () => {
    const { keys, queue, window, clipboard } = desk;
    await queue.goTo(/^LLM/);
    await keys.moveTo("ArrowDown", /^Finished/);
    await queue.expand();
    await keys.moveTo("ArrowDown", /implementer/);
    await queue.expand();
    await keys.moveTo("ArrowDown", "basket-count");
    await keys.press("Enter");
    await until("the result", async () => (await shownPath()).endsWith("/basket-count.md"));
    const text = await shownText();
    await queue.onRow("basket-count", "Copy Result");
    await until("the answer on the clipboard", async () => {
      const copied = await clipboard();
      return copied !== "" && text.includes(copied);
    });
    await window.statusBar.waitFor(/^Result copied$/);
    await queue.onRow("basket-count", "Compare Results");
    await keys.choose("Choose an operation", "basket-total");
    await window.page.locator(".monaco-diff-editor .modified .view-lines", { hasText: "total" }).waitFor();
  });

  it("exports the history from the panel's button", async () => {
    const { keys, window } = desk;
    await keys.command("Batch Control: Open Panel");
    await window.webview("[data-export]");
    await keys.moveTo("Tab", "Export History");
    await keys.press("Enter");
    await keys.choosePath("Export History", at("history.json"), "shop");
    await window.notifications.waitFor("Batches written: ");
    assert.match(await readFile(at("history.json"), "utf8"), /basket-count/);
  });

  it("shows the rest of a long queue, and reads on where that begins", async () => {
    const { keys, queue } = desk;
    const line = (n: number): string =>
      JSON.stringify({ id: `long-${n}`, type: "judge", model: "claude-haiku-4-5", prompt: `Number ${n}` });
    await writeFile(at("long.jsonl"), Array.from({ length: 210 }, (_, n) => `${line(n)}\n`).join(""));
    await run("importRequests", { file: at("long.jsonl") });
    await queue.goTo(/^LLM/);
    await keys.moveTo("ArrowDown", "long-0");
    await keys.moveTo("PageDown", /^long-1[6-9]\d/);
    await keys.moveTo("ArrowDown", "Show more");
    await keys.press("Enter");
    await until("the focus on what is new", async () => (await keys.focused()).startsWith("long-200"));
    await keys.press("ArrowDown");
    assert.match(await keys.focused(), /^long-201/);
    await keys.press("End");
    await keys.moveTo("ArrowUp", "long-209");
  });

  it("finds the settings, is told what is wrong with a value, and changes one", async () => {
    const { keys, window } = desk;
    await keys.command("Preferences: Open Settings (UI)");
    await window.page.locator(".settings-editor .suggest-input-container.synthetic-focus").waitFor();
    await window.page.keyboard.type("batchControl.git.maxBatchAge");
    await keys.moveTo("Tab", "batchControl.git.maxBatchAge");
    await keys.press("ControlOrMeta+A");
    await window.page.keyboard.type("-1");
    await window.page.locator(".setting-item-validation-message", { hasText: /./ }).first().waitFor();
    await keys.press("ControlOrMeta+A");
    await window.page.keyboard.type("77");
    await window.waitForSetting("batchControl.git.maxBatchAge", 77);
  });
});
