import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { Codec } from "../../../src/journal/codec.ts";
import { migrate, migrations } from "../../../src/journal/sqlite/schema.ts";
import { StillClock, done, operation, queuedIds, reversed, started, turning } from "./fixtures.ts";
import { damageMiddle, openIn, removeFolder, temporaryFolder } from "./sqlite-fixtures.ts";

const zipping: Codec = {
  name: "gzip",
  encode: async (text) => (await promisify(gzip)(text)).toString("base64"),
  decode: async (stored) => (await promisify(gunzip)(Buffer.from(stored, "base64"))).toString(),
};
const unreadable = (name: string, message: RegExp) => (error: unknown) =>
  error instanceof Error && error.name === name && message.test(error.message);

describe("a codec of the journal", () => {
  let folder: string;
  let clock: StillClock;
  beforeEach(() => {
    folder = temporaryFolder();
    clock = new StillClock();
  });
  afterEach(() => removeFolder(folder));

  const path = (): string => join(folder, "journal.sqlite");
  /** How a window that knows only the first schema finds it. */
  function asVersion1(): string {
    const db = new DatabaseSync(path());
    const { kind } = migrate(db, migrations.slice(0, 1));
    db.close();
    return kind;
  }
  const bodies = (): string[] => readdirSync(join(folder, "bodies"));
  const holding = (text: string): string[] =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => readFileSync(path).includes(text));

  it("changes every payload and result before it reaches the disk, in rows and in files", async () => {
    const { journal } = await openIn(folder, clock, { codec: turning });
    const words = randomBytes(16).toString("hex");
    const texts = [words, `${words} ${"long ".repeat(50_000)}`];
    const given = texts.map((payload) => operation("request", { payload }));
    const { fence, batch } = await started(journal, given);
    const settled = given.map(
      ({ id, payload }) => ({ result: { id, status: "succeeded", text: payload } }) as const,
    );
    await journal.recordOutcome(fence, batch.id, { settled });
    assert.equal(bodies().length, 2);
    assert.deepEqual(holding(words), []);
    assert.ok(holding(reversed(words)).length >= 3);
    for (const { id, payload } of given) {
      assert.equal((await journal.operation(id))?.payload, payload);
      assert.equal((await journal.result(id))?.text, payload);
    }
    await journal.close();
  });

  it("leaves one file for one content, and none once nothing names it", async () => {
    const { journal } = await openIn(folder, clock, { codec: turning });
    const payload = "same ".repeat(30_000);
    await journal.enqueue([operation("request", { payload }), operation("request", { payload })]);
    assert.equal(bodies().length, 1);
    await journal.clear("llm");
    await journal.prune({ olderThanMs: -1 });
    assert.deepEqual(bodies(), []);
    await journal.close();
  });

  it("counts and pages by the texts as they were given, however small they are stored", async () => {
    const { journal } = await openIn(folder, clock, { codec: zipping });
    const size = 7 * 1024 * 1024;
    const given = ["a", "b", "c"].map((text) => operation("request", { payload: text.repeat(size) }));
    const { batch } = await started(journal, given);
    assert.equal(batch.bytes, 3 * size);
    assert.deepEqual(
      readdirSync(folder).filter((name) => name === "bodies"),
      [],
      "small enough for rows",
    );
    const first = await journal.payloads(batch.id, 0, 10);
    const second = await journal.payloads(batch.id, first.at(-1)!.position, 10);
    assert.deepEqual(
      [first, second].map((page) => page.map(({ payload }) => payload[0])),
      [["a", "b"], ["c"]],
    );
    assert.equal(second[0]?.payload, given[2]!.payload);
    await journal.close();
  });

  it("is named with what it made: that is refused without it, and what was stored before is still read", async () => {
    const bare = await openIn(folder, clock);
    const plain = operation("request", { payload: "plain" });
    await bare.journal.enqueue([plain]);
    const turned = await openIn(folder, clock, { codec: turning });
    const given = ["turned", "turned ".repeat(20_000)].map((payload) => operation("request", { payload }));
    await turned.journal.enqueue(given);
    assert.equal((await turned.journal.operation(plain.id))?.payload, "plain");
    const other = await openIn(folder, clock, { codec: zipping });
    for (const { journal } of [bare, other]) {
      for (const { id } of given)
        await assert.rejects(
          journal.operation(id),
          unreadable("JournalError", /stored with the codec "turned" and cannot be read without it/),
        );
      assert.equal((await journal.operation(plain.id))?.payload, "plain");
      assert.equal((await queuedIds(journal)).length, 3, "they are seen all the same");
    }
    // Cancelling needs no payload, and what it writes is told by the operation's row anyway.
    await bare.journal.cancel([given[0]!.id]);
    assert.equal((await other.journal.result(given[0]!.id))?.status, "cancelled");
    for (const { journal } of [bare, turned, other]) await journal.close();
  });

  it("that fails accepts nothing and settles nothing, and both can be asked again", async () => {
    let works = true;
    const moody: Codec = {
      name: "moody",
      encode: (text) => (works ? Promise.resolve(text) : Promise.reject(new Error("no key"))),
      decode: (stored) => (works ? Promise.resolve(stored) : Promise.reject(new Error("no key"))),
    };
    const { journal } = await openIn(folder, clock, { codec: moody });
    const [one, two] = [operation("request"), operation("request")];
    const { fence, batch } = await started(journal, [one]);
    works = false;
    await assert.rejects(journal.enqueue([two]), unreadable("JournalError", /not be encoded with "moody"/));
    await assert.rejects(
      journal.payloads(batch.id, 0, 1),
      unreadable("JournalError", /not be decoded with "moody"/),
    );
    const settled = [{ result: { id: one.id, status: "succeeded" } }] as const;
    await assert.rejects(journal.recordOutcome(fence, batch.id, { settled }), { name: "JournalError" });
    assert.deepEqual(await queuedIds(journal), []);
    works = true;
    assert.equal(done(await journal.recordOutcome(fence, batch.id, { settled })).status, "completed");
    assert.equal((await journal.enqueue([two]))[0]?.kind, "inserted");
    await journal.close();
  });

  it("keeps out versions that would take its texts for the given ones", async () => {
    await (await openIn(folder, clock)).journal.close();
    assert.equal(asVersion1(), "current");
    await (await openIn(folder, clock, { codec: turning })).journal.close();
    assert.equal(asVersion1(), "newer");
    const bare = await openIn(folder, clock);
    await bare.journal.close();
    assert.equal(asVersion1(), "newer", "its texts are still there");
  });

  it("keeps out such versions from what was salvaged, too", async () => {
    const { journal } = await openIn(folder, clock, { codec: turning });
    const given = Array.from({ length: 400 }, () => operation("commit", { payload: "y".repeat(3000) }));
    await journal.enqueue(given);
    await journal.close();
    damageMiddle(path());
    const bare = await openIn(folder, clock);
    assert.notEqual(bare.report.damaged, undefined);
    const [saved] = await queuedIds(bare.journal);
    await assert.rejects(bare.journal.operation(saved!), /codec "turned"/);
    await bare.journal.close();
    assert.equal(asVersion1(), "newer");
    const again = await openIn(folder, clock, { codec: turning });
    assert.equal((await again.journal.operation(saved!))?.payload, "y".repeat(3000));
    await again.journal.close();
  });
});
