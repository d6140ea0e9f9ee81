import assert from "node:assert/strict";
import { chmodSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { mock } from "node:test";
import { operation, queuedIds } from "./fixtures.ts";
import { openIn, openOver, removeFolder, temporaryFolder, tryOpen } from "./sqlite-fixtures.ts";

const journalError = (reason: string, text: RegExp) => (error: unknown) =>
  error instanceof Error && "reason" in error && error.reason === reason && text.test(error.message);

describe("the journal in SQLite in trouble", () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => removeFolder(folder));

  it("refuses what does not fit on a full volume and keeps the rest intact", async () => {
    const { db, journal } = await openOver(folder, (path) => new DatabaseSync(path, { timeout: 0 }));
    const first = operation();
    await journal.enqueue([first]);
    const pages = Number(db.prepare("PRAGMA page_count").get()?.["page_count"]);
    db.exec(`PRAGMA max_page_count = ${pages + 2}`);
    const large = Array.from({ length: 20 }, () => operation("commit", { payload: "x".repeat(10_000) }));
    await assert.rejects(journal.enqueue(large), journalError("full", new RegExp(`volume of ${folder}`)));
    assert.deepEqual(await queuedIds(journal), [first.id]);
    db.exec("PRAGMA max_page_count = 1000000");
    await journal.enqueue(large);
    assert.equal((await queuedIds(journal)).length, 21);
    assert.equal(db.prepare("PRAGMA integrity_check").get()?.["integrity_check"], "ok");
    await journal.close();
  });

  it("gives up on a database that stays locked, reads meanwhile, and goes on afterwards", async () => {
    const { journal } = await openOver(folder, (path) => new DatabaseSync(path, { timeout: 0 }));
    const other = new DatabaseSync(join(folder, "journal.sqlite"), { timeout: 0 });
    other.exec("BEGIN IMMEDIATE");
    const one = operation();
    await assert.rejects(journal.enqueue([one]), journalError("locked", /locked by another program/));
    assert.deepEqual(await queuedIds(journal), []);
    const waiting = journal.enqueue([one]);
    other.exec("ROLLBACK");
    assert.deepEqual(await waiting, [{ kind: "inserted", id: one.id }]);
    other.close();
    await journal.close();
  });

  it("accepts nothing once its file was removed or replaced, and still hands out what it accepted before", async function () {
    // There an open file cannot be removed.
    if (process.platform === "win32") this.skip();
    const { journal } = await openIn(folder);
    const before = operation();
    await journal.enqueue([before]);
    const files = ["journal.sqlite", "journal.sqlite-wal", "journal.sqlite-shm"];
    for (const name of files) rmSync(join(folder, name), { force: true });
    const refused = journalError("unavailable", /was removed or replaced/);
    await assert.rejects(journal.enqueue([operation()]), refused);
    const next = await openIn(folder);
    await assert.rejects(journal.enqueue([operation()]), refused);
    assert.deepEqual(await queuedIds(journal), [before.id]);
    assert.equal((await journal.seal([{ group: before.group }])).length, 1);
    const after = operation();
    await next.journal.enqueue([after]);
    assert.deepEqual(await queuedIds(next.journal), [after.id]);
    await journal.close();
    await next.journal.close();
  });

  it("commits everything of one turn at once, and rolls back alone what is refused", async () => {
    let commits = 0;
    class Counting extends DatabaseSync {
      override exec(sql: string): void {
        if (sql === "COMMIT") commits += 1;
        super.exec(sql);
      }
    }
    const { journal } = await openOver(folder, (path) => new Counting(path, { timeout: 0 }));
    const given = Array.from({ length: 30 }, () => operation());
    // A slow machine would find the transaction to be a long one, which ends early.
    const stopped = mock.method(performance, "now", () => 0);
    const [refused] = await Promise.allSettled([
      journal.cancel([given[0]!.id, "none"]),
      ...given.map((one) => journal.enqueue([one])),
    ]);
    stopped.mock.restore();
    assert.equal(refused.status, "rejected");
    assert.equal(commits, 1);
    assert.deepEqual(
      await queuedIds(journal),
      given.map(({ id }) => id),
    );
    await journal.close();
  });

  it("says that it is closed instead of hanging", async () => {
    const { journal } = await openIn(folder);
    const last = journal.setPaused("git", true);
    await Promise.all([journal.close(), last]);
    await assert.rejects(journal.state(), journalError("unavailable", /closed/));
    await assert.rejects(journal.enqueue([operation()]), journalError("unavailable", /closed/));
    await journal.close();
  });

  it("is not opened, and leaves nothing behind, where the folder cannot be written", async function () {
    if (process.platform === "win32") this.skip();
    chmodSync(folder, 0o555);
    const root = process.getuid?.() === 0;
    // The administrator may write everywhere, so another user asks.
    if (root) process.seteuid?.(65534);
    try {
      const opened = await tryOpen(join(folder, "inner"));
      assert.equal(opened.kind, "unavailable");
      assert.deepEqual([opened.reason, opened.message.includes(folder)], ["read-only", true]);
      const outer = await tryOpen(folder);
      assert.equal(outer.kind, "unavailable");
      assert.match(outer.message, /folder/);
    } finally {
      if (root) process.seteuid?.(0);
      chmodSync(folder, 0o755);
    }
    assert.equal(existsSync(join(folder, "inner")), false);
  });
});
