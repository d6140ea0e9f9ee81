import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Operation } from "../../../../src/core/operation.ts";
import { Cancelled } from "../../../../src/host/commands/cancelled.ts";
import { AnsweredRequests } from "../../../../src/host/results/answered.ts";
import { saveAll } from "../../../../src/host/results/save-all.ts";
import { titleOf } from "../../../../src/host/results/title.ts";
import { openRequestDesk } from "../../../support/host/request-desk.ts";
import type { RequestDesk } from "../../../support/host/request-desk.ts";
import { fill } from "../../../support/host/translate.ts";

/** So many answered requests of one label. */
function manyAlike(count: number): Pick<AnsweredRequests, "ofBatch" | "find"> {
  const operation = (id: string) => ({ id, label: "Tidy it" }) as Operation;
  return {
    ofBatch: () => Promise.resolve(Array.from({ length: count }, (_, index) => operation(String(index)))),
    find: (id) =>
      Promise.resolve({
        operation: operation(id),
        result: { id, status: "succeeded", text: `Answer ${id}` },
      }),
  };
}

describe("Results of a batch", () => {
  let desk: RequestDesk;
  let answered: AnsweredRequests;
  let ids: readonly string[];
  let batch: string;

  beforeEach(async () => {
    desk = await openRequestDesk();
    answered = new AnsweredRequests(desk.journal, fill);
    ids = await desk.llm.enqueueAll(
      ["src/a.js", "src/a.js", "../b"].map((id) => ({
        id,
        type: "x",
        model: "claude-haiku-4-5",
        prompt: id,
      })),
    );
    [batch] = (await desk.answer((_id, index) =>
      index === 1 ? { status: "failed", error: "No." } : `Answer ${index}`,
    )) as [string];
  });
  afterEach(() => desk.close());

  it("follow each other in the order of the batch, round and round", async () => {
    const [one, two, three] = ids as [string, string, string];
    assert.deepEqual(await Promise.all([one, two, three].map((id) => answered.neighbour(id, 1))), [
      two,
      three,
      one,
    ]);
    assert.deepEqual(await Promise.all([one, two, three].map((id) => answered.neighbour(id, -1))), [
      three,
      one,
      two,
    ]);
  });

  it("are saved under their labels, each in a file of its own, and nothing is overwritten", async () => {
    const first = await saveAll(batch, desk.folder, answered);
    await saveAll(batch, desk.folder, answered);
    assert.deepEqual(first, [join(desk.folder, "src a.js.md"), join(desk.folder, "b.md")]);
    assert.deepEqual((await readdir(desk.folder)).sort(), ["b-2.md", "b.md", "src a.js-2.md", "src a.js.md"]);
    assert.equal(await readFile(first[1]!, "utf8"), "Answer 2");
    await assert.rejects(
      saveAll(batch, join(desk.folder, "none"), answered),
      /^InputError: folder: there is no folder/,
    );
  });

  it("are saved with next to no looking for names where all begin alike", async () => {
    const many = manyAlike(1500);
    const files = await saveAll(batch, desk.folder, many);
    assert.equal(new Set(files).size, 1500);
    assert.equal(await readFile(join(desk.folder, "Tidy it-1500.md"), "utf8"), "Answer 1499");
  });

  it("tell how far saving is, and are not there when it is given up or cannot be finished", async () => {
    const before = await readdir(desk.folder);
    const shares: number[] = [];
    await saveAll(batch, desk.folder, manyAlike(4), { progress: (share) => shares.push(share) });
    assert.deepEqual(shares, [0.25, 0.5, 0.75, 1]);
    const saved = await readdir(desk.folder);
    assert.equal(saved.length, before.length + 4);

    const abort = new AbortController();
    const giveUp = { signal: abort.signal, progress: () => abort.abort() };
    await assert.rejects(saveAll(batch, desk.folder, manyAlike(4), giveUp), Cancelled);
    const broken = {
      ...manyAlike(4),
      find: (id: string) => (id === "3" ? Promise.reject(new Error("Gone.")) : manyAlike(4).find(id)),
    };
    await assert.rejects(saveAll(batch, desk.folder, broken), /Gone/);
    assert.deepEqual(await readdir(desk.folder), saved);
  });

  it("are refused where there is none, with why", async () => {
    const none = "019a0000-0000-7000-8000-000000000000";
    await assert.rejects(answered.find(none), /^StateError: id: there is no operation/);
    await assert.rejects(answered.ofBatch(none), /^StateError: batch: there is no batch/);
    await assert.rejects(answered.text(ids[1]!), /^StateError: id: this result has no text/);
    const [waiting] = await desk.llm.enqueueAll([{ type: "x", model: "claude-haiku-4-5", prompt: "x" }]);
    await assert.rejects(
      answered.find(waiting!),
      /^StateError: id: this request has no result yet; it is queued/,
    );
  });

  it("get a name that is a file's and stays in its folder", () => {
    assert.equal(titleOf("../../etc/passwd"), "etc passwd");
    assert.equal(titleOf("..."), "result");
    assert.equal(titleOf("Größe: 5 €?"), "Größe 5");
    assert.equal(titleOf("x".repeat(100)).length, 60);
    assert.equal(titleOf("हिन्दी नमस्ते"), "हिन्दी नमस्ते");
    assert.equal(titleOf("e\u0301te\u0301: 2"), "été 2");
    assert.deepEqual(["CON", "nul", "aux.txt", "com1.a.b", "console", "lpt10"].map(titleOf), [
      "CON_",
      "nul_",
      "aux_.txt",
      "com1_.a.b",
      "console",
      "lpt10",
    ]);
  });
});
