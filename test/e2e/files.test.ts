import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Snapshot } from "../../src/core/snapshot.ts";
import { useDemoWorkbench } from "../support/workbench/fixtures.ts";
import { until } from "../support/workbench/until.ts";
import type { WorkbenchWindow } from "../support/workbench/window.ts";

interface Imported {
  readonly ids: readonly string[];
  readonly bad: readonly { readonly line: number; readonly reason: string }[];
}

const good = JSON.stringify({ id: "mine", type: "judge", model: "claude-haiku-4-5", prompt: "Is it good?" });

describe("Files of requests and results", () => {
  const fixture = useDemoWorkbench();
  let window: WorkbenchWindow;
  const run = <Answer>(name: string, argument: unknown): Promise<Answer> =>
    window.bridge.command<Answer>(`batchControl.${name}`, argument);
  const queuedCount = async (): Promise<number> => (await run<Snapshot>("getState", {})).llm.queuedCount;
  const at = (name: string): string => path.join(fixture.sample.root, name);
  const write = async (name: string, ...lines: readonly string[]): Promise<string> => {
    await writeFile(at(name), `${lines.join("\n")}\n`);
    return at(name);
  };
  const records = async (file: string) =>
    (await readFile(file, "utf8"))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Readonly<Record<string, Readonly<Record<string, unknown>>>>);

  /** Types a path into the file dialog and accepts it once that has caught up: it then lists what is in the folder. */
  const choosePath = async (file: string, listed: string): Promise<void> => {
    await until(
      "the folder that the dialog begins with",
      async () => (await window.quickInput.value()) !== "" && (await window.quickInput.items()).length > 0,
    );
    await window.quickInput.type(file);
    await until(`${listed} in the dialog`, async () =>
      (await window.quickInput.items()).some(({ label }) => label.startsWith(listed)),
    );
    await window.quickInput.accept();
  };

  before(async () => {
    window = await fixture.workbench.open(fixture.sample.workspace);
    await window.openViewContainer("Batch Control");
    await run("pause", {});
  });
  afterEach(() => run("clear", {}));

  it("are imported, sent and exported from code", async () => {
    const { ids, bad } = await run<Imported>("importRequests", { file: fixture.sample.prompts });
    assert.deepEqual([ids.length, bad], [5, []]);
    const { batches } = await run<{ batches: { id: string }[] }>("flush", { kind: "llm", wait: true });
    assert.equal(batches.length, 3, "three kinds of work");
    const all = at("all.jsonl");
    assert.deepEqual(await run("exportResults", { file: all }), { count: 5 });
    const lines = await records(all);
    assert.deepEqual(lines.map(({ custom_id }) => custom_id).sort(), [
      "basket-count",
      "basket-total",
      "judge-names",
      "plan-refunds",
      "receipt-line",
    ] as unknown[]);
    for (const line of lines) {
      assert.equal(line["result"]?.["type"], "succeeded");
      assert.ok(ids.includes(line["batch_control"]?.["request_id"] as string));
      assert.ok((line["batch_control"]?.["cost_usd"] as number) > 0);
    }
    const one = at("one.jsonl");
    const { count } = await run<{ count: number }>("exportResults", { batch: batches[0]!.id, file: one });
    assert.equal((await records(one)).length, count);
    assert.ok(count < 5);
  });

  it("are imported by keyboard", async () => {
    const { quickInput } = window;
    await window.runCommand("Batch Control: Import LLM Requests");
    await quickInput.shown("Import LLM Requests");
    await choosePath(fixture.sample.prompts, "requests.jsonl");
    await until("five queued requests", async () => (await queuedCount()) === 5);
    await window.view("Queue").waitForRow("basket-count");
  });

  it("have their bad lines told, and the good ones queued only where a person agrees", async () => {
    const { quickInput } = window;
    const file = await write("some-bad.jsonl", good, "{", JSON.stringify({ type: "x", model: "m" }));
    const begin = async (): Promise<void> => {
      await window.runCommand("Batch Control: Import LLM Requests");
      await quickInput.shown("Import LLM Requests");
      await choosePath(file, "some-bad.jsonl");
      await until("the question", async () => (await window.notifications.dialog()).includes("Bad lines: 2"));
    };
    await begin();
    assert.match(await window.notifications.dialog(), /2: is not JSON[\s\S]*3: prompt: is missing/);
    await window.notifications.pressInDialog("Cancel");
    assert.equal(await queuedCount(), 0);
    await begin();
    await window.notifications.pressInDialog("Queue the Good Ones");
    await until("one queued request", async () => (await queuedCount()) === 1);
  });

  it("are exported by keyboard", async () => {
    const { quickInput } = window;
    const file = at("by-hand.jsonl");
    await window.runCommand("Batch Control: Export LLM Results");
    await quickInput.shown("Export LLM Results");
    await choosePath(file, "shop");
    await window.notifications.waitFor("Results written: ");
    const lines = await records(file);
    assert.ok(lines.some(({ custom_id }) => (custom_id as unknown) === "basket-count"));
    assert.ok(lines.every(({ batch_control }) => typeof batch_control?.["request_id"] === "string"));
    await window.notifications.dismissAll();
  });

  it("queue nothing from code where a line is bad, unless it says to skip it", async () => {
    const file = await write("bad.jsonl", good, "", "[]");
    await assert.rejects(
      run("importRequests", { file }),
      /^InputError: file: has 1 bad line, so nothing was queued.*skipBad/s,
    );
    assert.equal(await queuedCount(), 0);
    const { ids, bad } = await run<Imported>("importRequests", { file, skipBad: true });
    assert.deepEqual([ids.length, bad.map(({ line }) => line)], [1, [3]]);
    assert.equal(await queuedCount(), 1);
  });

  const bad: readonly (readonly [string, unknown, RegExp])[] = [
    ["importRequests", {}, /^file: /],
    ["importRequests", { file: "requests.jsonl" }, /^file: must be the absolute path/],
    ["importRequests", { file: "/nowhere/at/all.jsonl" }, /^file: \/nowhere\/at\/all\.jsonl does not exist/],
    ["importRequests", { file: "/nowhere.jsonl", skipBad: "yes" }, /^skipBad: /],
    ["exportResults", {}, /^file: /],
    ["exportResults", { file: "/nowhere/at/all.jsonl" }, /^file: there is no folder/],
    [
      "exportResults",
      { file: "/tmp/x.jsonl", batch: "019a0000-0000-7000-8000-000000000000" },
      /^batch: there is no/,
    ],
    ["exportResults", { file: "/tmp/x.jsonl", colour: "red" }, /^colour: /],
  ];
  for (const [name, argument, message] of bad)
    it(`${name} refuses ${JSON.stringify(argument)}, naming the field`, async () => {
      await assert.rejects(
        run(name, argument),
        (error: Error) => message.test(error.message) || assert.fail(error.message),
      );
      assert.equal(await queuedCount(), 0);
    });
});
