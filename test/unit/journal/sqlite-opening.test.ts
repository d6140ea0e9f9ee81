import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { walIsSafe } from "../../../src/journal/sqlite/connection.ts";
import { migrate, migrations } from "../../../src/journal/sqlite/schema.ts";
import type { Migration } from "../../../src/journal/sqlite/schema.ts";
import { git, operation, queuedIds, started } from "./fixtures.ts";
import { damage, damageMiddle, openIn, removeFolder, temporaryFolder, tryOpen } from "./sqlite-fixtures.ts";

describe("opening the journal in SQLite", () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = temporaryFolder();
    path = join(folder, "journal.sqlite");
  });
  afterEach(() => removeFolder(folder));

  it("tells a new journal from one that was there", async () => {
    const first = await openIn(folder);
    assert.equal(first.report.migratedFrom, 0);
    const one = operation();
    await first.journal.enqueue([one]);
    await first.journal.close();
    const second = await openIn(folder);
    assert.equal(second.report.migratedFrom, undefined);
    assert.deepEqual(await queuedIds(second.journal), [one.id]);
    await second.journal.close();
  });

  it("makes a folder that only the user may look into", async function () {
    if (process.platform === "win32") this.skip();
    const inner = join(folder, "a", "b");
    await (await openIn(inner)).journal.close();
    assert.equal(statSync(inner).mode & 0o777, 0o700);
  });

  it("sets a file that is no database aside and starts afresh", async () => {
    writeFileSync(path, "not a database at all, but somebody's words");
    const { journal, report } = await openIn(folder);
    assert.equal(report.damaged?.keptAs.length, 1);
    assert.match(readFileSync(report.damaged.keptAs[0]!, "utf8"), /somebody's words/);
    await journal.enqueue([operation()]);
    await journal.close();
    assert.equal((await openIn(folder)).report.damaged, undefined);
  });

  it("salvages what can be read of a damaged database and keeps the original", async () => {
    const before = await openIn(folder);
    const given = Array.from({ length: 400 }, () => operation("commit", { payload: "y".repeat(3000) }));
    await before.journal.enqueue(given);
    await before.journal.close();
    const { size } = statSync(path);
    damageMiddle(path);
    const { journal, report } = await openIn(folder);
    assert.ok(existsSync(report.damaged!.keptAs[0]!));
    assert.equal(statSync(report.damaged!.keptAs[0]!).size, size);
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.includes("salvag")),
      [],
    );
    const saved = await queuedIds(journal);
    assert.ok(saved.length > 0 && saved.length < given.length, `${saved.length} saved`);
    assert.deepEqual(
      saved,
      given.map(({ id }) => id).filter((id) => saved.includes(id)),
    );
    assert.equal((await journal.operation(saved[0]!))?.payload, "y".repeat(3000));
    const [batch] = await journal.seal([{ group: git }]);
    assert.equal(batch?.operationCount, saved.length);
    await journal.close();
    assert.equal((await openIn(folder)).report.damaged, undefined);
  });

  it("goes on where setting a damaged database aside was interrupted", async () => {
    const { journal } = await openIn(folder);
    const one = operation();
    await journal.enqueue([one]);
    await journal.close();
    renameSync(path, join(folder, "journal.salvaged.sqlite"));
    writeFileSync(`${path}-wal`, "left of the damaged one");
    const again = await openIn(folder);
    assert.deepEqual(await queuedIds(again.journal), [one.id]);
    await again.journal.close();
  });

  it("lets one of two windows that start at once do it, and serves both", async () => {
    await (await openIn(folder)).journal.close();
    writeFileSync(path, "broken");
    const [one, two] = await Promise.all([openIn(folder), openIn(folder)]);
    assert.equal([one, two].filter(({ report }) => report.damaged !== undefined).length, 1);
    await one.journal.enqueue([operation()]);
    assert.equal((await two.journal.state()).git.queuedCount, 1);
    await Promise.all([one.journal.close(), two.journal.close()]);
  });

  it("does not set aside what another window still uses", async () => {
    const { journal } = await openIn(folder);
    await journal.enqueue(Array.from({ length: 50 }, () => operation()));
    const db = new DatabaseSync(path);
    db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    db.close();
    damage(path, 4096, 20 * 4096);
    const opened = await tryOpen(folder, undefined, 50);
    assert.equal(opened.kind, "unavailable");
    assert.equal(opened.reason, "damaged");
    assert.match(opened.message, /another window still uses it/);
    assert.ok(existsSync(path));
    await journal.close();
  });

  it("does not repeat what was executing when the record of its effects is lost", async () => {
    const before = await openIn(folder);
    const { fence, batch } = await started(before.journal, [operation()]);
    const intent = { kind: "push", plan: "p".repeat(500) };
    await Promise.all(
      Array.from({ length: 300 }, () => before.journal.recordIntent(fence, batch.id, intent)),
    );
    await before.journal.close();
    const db = new DatabaseSync(path);
    const page = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'effect'").get();
    db.close();
    damage(path, (Number(page?.["rootpage"]) - 1) * 4096, 4096);
    const { journal, report } = await openIn(folder);
    assert.ok(report.damaged?.incomplete.includes("effect"));
    const kept = await journal.batch(batch.id);
    assert.deepEqual([kept?.status, kept?.counts], ["failed", { failed: 1 }]);
    const [failed] = await journal.operations({ batch: batch.id, limit: 1 });
    assert.equal(failed?.reason, "journal-damaged");
    assert.equal((await journal.result(failed.id))?.status, "failed");
    await journal.close();
  });

  it("refuses a journal of a newer version that it cannot read, and changes nothing", async () => {
    await (await openIn(folder)).journal.close();
    const db = new DatabaseSync(path);
    db.exec("UPDATE meta SET value = '99'");
    db.close();
    const opened = await tryOpen(folder);
    assert.equal(opened.kind, "unavailable");
    assert.equal(opened.reason, "newer");
    const later = new DatabaseSync(path);
    later.exec("UPDATE meta SET value = '1' WHERE key = 'min_reader'");
    later.close();
    await (await openIn(folder)).journal.close();
  });

  it("raises an older schema step by step and keeps its rows", () => {
    const db = new DatabaseSync(":memory:");
    assert.deepEqual(migrate(db, migrations), { kind: "migrated", from: 0 });
    const last = migrations.at(-1)!.to;
    db.exec("INSERT INTO fact VALUES ('kept', '1')");
    const next: readonly Migration[] = [
      ...migrations,
      { to: last + 1, minReader: 1, sql: "ALTER TABLE fact ADD COLUMN since INTEGER" },
      { to: last + 2, minReader: last + 1, sql: "UPDATE fact SET since = 7" },
    ];
    assert.deepEqual(migrate(db, next), { kind: "migrated", from: last });
    assert.deepEqual({ ...db.prepare("SELECT * FROM fact").get() }, { key: "kept", value: "1", since: 7 });
    assert.deepEqual(migrate(db, next), { kind: "current" });
    assert.deepEqual(migrate(db, migrations), { kind: "newer", schema: last + 2 });
    db.close();
  });

  it("uses WAL only with a SQLite that cannot corrupt it", () => {
    const safe = ["3.51.3", "3.53.4", "3.50.7", "3.44.6", "4.0.0"];
    const unsafe = ["3.51.2", "3.50.6", "3.49.1", "3.44.5", "3.45.9", "3.7.0"];
    assert.deepEqual(
      safe.filter((version) => !walIsSafe(version)),
      [],
    );
    assert.deepEqual(unsafe.filter(walIsSafe), []);
  });
});
