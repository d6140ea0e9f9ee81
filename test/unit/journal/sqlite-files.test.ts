import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { StillClock, operation, started } from "./fixtures.ts";
import { openIn, removeFolder, temporaryFolder } from "./sqlite-fixtures.ts";

describe("the files of the journal in SQLite", () => {
  let folder: string;
  let clock: StillClock;
  beforeEach(() => {
    folder = temporaryFolder();
    clock = new StillClock();
  });
  afterEach(() => removeFolder(folder));

  const bodies = (): string[] => readdirSync(join(folder, "bodies"));
  const found = (text: string): string[] =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => readFileSync(path).includes(text));

  it("keeps large payloads and results in files of their own, once for the same content, and drops them when pruned", async () => {
    const { journal } = await openIn(folder, clock);
    const payload = `${"é\u{1f600}".repeat(500_000)}\ud800`;
    const [one, two] = [operation("request", { payload }), operation("request", { payload })];
    const { fence, batch } = await started(journal, [one]);
    await journal.enqueue([two]);
    assert.equal(bodies().length, 1);
    const text = "answer".repeat(20_000);
    await journal.recordOutcome(fence, batch.id, {
      settled: [{ result: { id: one.id, status: "succeeded", text } }],
    });
    assert.equal(bodies().length, 2);
    if (process.platform !== "win32") {
      for (const name of bodies()) assert.equal(statSync(join(folder, "bodies", name)).mode & 0o777, 0o600);
    }
    assert.equal((await journal.result(one.id))?.text, text);
    assert.equal((await journal.operation(one.id))?.payload, payload);
    await journal.prune({ olderThanMs: -1 });
    assert.equal(bodies().length, 1);
    assert.equal((await journal.operation(two.id))?.payload, payload);
    await journal.cancel([two.id]);
    await journal.prune({ olderThanMs: -1 });
    assert.deepEqual(bodies(), []);
    await journal.close();
  });

  it("writes a payload again that was swept away between writing and accepting", async () => {
    const [one, two] = [await openIn(folder, clock), await openIn(folder, clock)];
    const payload = "again".repeat(30_000);
    for (let round = 0; round < 10; round += 1) {
      const accepted = operation("request", { payload });
      await Promise.all([one.journal.enqueue([accepted]), two.journal.prune({ olderThanMs: Infinity })]);
      assert.equal((await two.journal.operation(accepted.id))?.payload, payload);
      await one.journal.cancel([accepted.id]);
      await two.journal.prune({ olderThanMs: -1 });
    }
    await Promise.all([one.journal.close(), two.journal.close()]);
  });

  it("holds what it was given, nothing else, and no trace of it once pruned", async () => {
    const secret = `sk-${randomBytes(16).toString("hex")}`;
    process.env["JOURNAL_TEST_KEY"] = secret;
    const words = `words-${randomBytes(16).toString("hex")}`;
    const { journal } = await openIn(folder, clock);
    const one = operation("request", { label: words, payload: `${words}-${"z".repeat(100_000)}` });
    const { fence, batch } = await started(journal, [one]);
    await journal.recordIntent(fence, batch.id, { kind: "create", plan: { count: 1 } });
    await journal.recordOutcome(fence, batch.id, {
      effect: { n: 0, state: "done" },
      settled: [{ result: { id: one.id, status: "failed", error: words } }],
    });
    assert.ok(found(words).length >= 2);
    assert.deepEqual(found(secret), []);
    await journal.prune({ olderThanMs: -1 });
    await journal.close();
    delete process.env["JOURNAL_TEST_KEY"];
    assert.deepEqual([...found(secret), ...found(words)], []);
  });

  it("keeps its history of events bounded and still in order", async () => {
    const { journal } = await openIn(folder, clock);
    await Promise.all(Array.from({ length: 11_000 }, (_, n) => journal.setPaused("git", n % 2 === 0)));
    const sequences: number[] = [];
    journal.watch(0, (events) => void sequences.push(...events.map(({ sequence }) => sequence)));
    while (sequences.at(-1) !== 11_000) await new Promise((resolve) => setImmediate(resolve));
    assert.ok(sequences.length <= 10_500 && sequences.length >= 10_000, String(sequences.length));
    await journal.close();
  });
});
