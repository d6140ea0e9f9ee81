import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { AnsweredRequests } from "../../../../src/host/results/answered.ts";
import { saveAll } from "../../../../src/host/results/save-all.ts";
import { titleOf } from "../../../../src/host/results/title.ts";
import { openRequestDesk } from "../../../support/host/request-desk.ts";
import type { RequestDesk } from "../../../support/host/request-desk.ts";
import { fill } from "../../../support/host/translate.ts";

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
  });
});
