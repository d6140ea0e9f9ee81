import assert from "node:assert/strict";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { exportHistory, parseHistory } from "../../../../src/host/files/history.ts";
import { openRequestDesk } from "../../../support/host/request-desk.ts";
import type { RequestDesk } from "../../../support/host/request-desk.ts";

const MODEL = "claude-haiku-4-5";
const request = { type: "x", model: MODEL, prompt: "x" };

describe("Exporting the history", () => {
  let desk: RequestDesk;
  const at = (name: string): string => join(desk.folder, name);
  const read = (name: string): Promise<string> => readFile(at(name), "utf8");

  beforeEach(async () => {
    desk = await openRequestDesk({ maxBatchSize: 1000 });
  });
  afterEach(() => desk.close());

  it("writes a row for each finished batch, newest first, beyond what a snapshot lists", async () => {
    const cancelled = await desk.llm.enqueueAll(Array.from({ length: 230 }, () => request));
    await desk.journal.cancel(cancelled);
    await desk.clock.advance(1000);
    await desk.llm.enqueue(request);
    const [newest] = await desk.answer(() => "Yes");
    await desk.llm.enqueue(request);
    assert.deepEqual(await exportHistory({ file: at("h.csv") }, desk), { count: 231 });
    const [head, ...rows] = (await read("h.csv")).trimEnd().split("\r\n");
    assert.match(head ?? "", /^\uFEFFid,side,group,status,created_at,/);
    assert.equal(new Set(rows.map((row) => row.split(",")[0])).size, 231);
    assert.match(rows[0] ?? "", new RegExp(`^${newest ?? "none"},`));
    assert.match(rows[1] ?? "", /,cancelled,/);
    assert.match(rows[0] ?? "", /,llm,llm:anthropic\/x\/claude-haiku-4-5,completed,/);
    assert.deepEqual(await readdir(desk.folder), ["h.csv"]);
  });

  it("writes batches with all of their operations as JSON", async () => {
    await desk.llm.enqueueAll(Array.from({ length: 250 }, () => request));
    await desk.answer((_id, index) => (index === 0 ? { status: "failed", error: "No." } : "Yes"));
    await exportHistory({ file: at("h.json") }, desk);
    const [batch, ...more] = JSON.parse(await read("h.json")) as {
      side: string;
      operations: { status: string; error?: string }[];
    }[];
    assert.deepEqual([batch?.side, batch?.operations.length, more.length], ["llm", 250, 0]);
    assert.equal(batch?.operations.filter(({ error }) => error === "No.").length, 1);
  });

  it("writes text that a spreadsheet takes as text", async () => {
    await desk.llm.enqueue(request);
    const [id] = await desk.answer(() => "Yes");
    const journal = {
      operations: desk.journal.operations.bind(desk.journal),
      executed: async ({ side }: { side: string }) =>
        side === "git"
          ? []
          : (await desk.journal.executed({ side: "llm", limit: 1 })).map((batch) => ({
              ...batch,
              remoteId: "=1+1",
              error: 'a "quote",\nand more',
            })),
    };
    await exportHistory({ file: at("h.txt"), format: "csv" }, { journal });
    const text = await read("h.txt");
    assert.ok(text.includes(`\r\n${id ?? "none"},`));
    assert.ok(text.endsWith(`,'=1+1,"a ""quote"",\nand more"\r\n`));
  });

  it("writes an empty table or list where nothing has finished", async () => {
    await exportHistory({ file: at("h.csv") }, desk);
    await exportHistory({ file: at("h.json") }, desk);
    assert.equal((await read("h.csv")).split("\r\n").length, 2);
    assert.deepEqual(JSON.parse(await read("h.json")), []);
  });

  it("refuses what it cannot write, naming the field", async () => {
    assert.throws(() => parseHistory({ file: "relative.csv" }), /file/);
    assert.throws(() => parseHistory({ file: "/a.csv", format: "xml" }), /format: must be csv or json/);
    await mkdir(at("folder"));
    const said = async (file: string): Promise<string> =>
      exportHistory({ file }, desk).then(
        () => assert.fail("it was written"),
        (error: unknown) => (error as Error).message,
      );
    assert.match(
      await said(at("folder")),
      /^file: .*\/folder cannot be written: it is a folder; name a file$/,
    );
    assert.match(
      await said(at(`${"x".repeat(300)}.csv`)),
      /x\.csv cannot be written: its name is too long; /,
    );
    assert.doesNotMatch(await said("/proc/h.csv"), /\.part|open '/);
    assert.deepEqual(await readdir(desk.folder), ["folder"]);
    await exportHistory({ file: at(`${"y".repeat(251)}.csv`) }, desk);
    await assert.rejects(exportHistory({ file: at("none/h.csv") }, desk), /file: there is no folder/);
  });
});
