import assert from "node:assert/strict";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { exportResults, parseExport } from "../../../../src/host/files/export.ts";
import { openRequestDesk } from "../../../support/host/request-desk.ts";
import type { RequestDesk } from "../../../support/host/request-desk.ts";

const MODEL = "claude-haiku-4-5";

describe("Exporting results", () => {
  let desk: RequestDesk;
  let ids: readonly string[];
  let batch: string;
  const at = (name: string): string => join(desk.folder, name);
  const lines = async (name: string) =>
    (await readFile(at(name), "utf8"))
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, Record<string, unknown>>);

  beforeEach(async () => {
    desk = await openRequestDesk();
    const input = { type: "x", model: MODEL, prompt: "x" };
    ids = await desk.llm.enqueueAll([{ ...input, id: "mine" }, input, { ...input, prompt: "y" }]);
    [batch] = (await desk.answer((_id, index) =>
      index === 2 ? { status: "expired", error: "Too late." } : `Answer ${index}`,
    )) as [string];
    await desk.llm.enqueueAll([{ ...input, type: "other" }]);
  });
  afterEach(() => desk.close());

  it("writes a batch in the provider's shape, under the user's ids, with what it cost", async () => {
    assert.deepEqual(await exportResults({ batch, file: at("out.jsonl") }, desk), { count: 3 });
    const [one, two, three] = await lines("out.jsonl");
    assert.deepEqual(one, {
      custom_id: "mine",
      result: { type: "succeeded", message: { content: "Answer 0" } },
      batch_control: { request_id: ids[0], cost_usd: 0.25, duration_ms: 5 },
    });
    assert.equal(two?.["custom_id"], ids[1]);
    assert.deepEqual(three?.["result"], { type: "expired" });
    assert.deepEqual(await readdir(desk.folder), ["out.jsonl"]);
  });

  it("writes every finished request, and none that still waits, where no batch is named", async () => {
    await desk.answer(() => "Other");
    await desk.llm.enqueue({ type: "x", model: MODEL, prompt: "waits" });
    assert.deepEqual(await exportResults({ file: at("all.jsonl") }, desk), { count: 4 });
    assert.equal((await lines("all.jsonl")).length, 4);
  });

  it("replaces a file that is there, as a whole", async () => {
    await exportResults({ file: at("out.jsonl") }, desk);
    await exportResults({ batch, file: at("out.jsonl") }, desk);
    assert.equal((await lines("out.jsonl")).length, 3);
  });

  it("leaves nothing behind where it fails", async () => {
    await mkdir(at("folder.jsonl"));
    await assert.rejects(exportResults({ file: at("folder.jsonl") }, desk), (error: Error) => {
      assert.equal(
        error.message,
        `file: ${at("folder.jsonl")} cannot be written: it is a folder; name a file`,
      );
      return true;
    });
    await assert.rejects(
      exportResults({ file: at("none/out.jsonl") }, desk),
      /^InputError: file: there is no folder/,
    );
    const none = "019a0000-0000-7000-8000-000000000000";
    await assert.rejects(
      exportResults({ batch: none, file: at("x.jsonl") }, desk),
      /^StateError: batch: there is no batch/,
    );
    assert.deepEqual(await readdir(desk.folder), ["folder.jsonl"]);
    assert.throws(() => parseExport({ file: "out.jsonl" }), /^InputError: file: must be the absolute path/);
    assert.throws(() => parseExport({ file: "/out.jsonl", batch: "x" }), /^InputError: batch: is not an id/);
    assert.throws(() => parseExport({}), /^InputError: file: /);
  });
});
