import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { StatementSync } from "node:sqlite";
import type { SqliteJournal } from "../../../src/journal/sqlite/sqlite-journal.ts";
import { done, git, operation, started } from "./fixtures.ts";
import { openOver, removeFolder, temporaryFolder } from "./sqlite-fixtures.ts";

const prepared: string[] = [];

class Recording extends DatabaseSync {
  override prepare(sql: string): StatementSync {
    prepared.push(sql);
    return super.prepare(sql);
  }
}

/** Uses every verb that reads or changes many rows. */
async function useAll(journal: SqliteJournal): Promise<void> {
  const { fence, batch } = await started(journal, [operation(), operation()]);
  const [first] = await journal.operations({ batch: batch.id, limit: 1 });
  for (const status of ["queued", "pending", "executing", "failed"] as const)
    await journal.operations({ status, limit: 1 });
  await journal.operations({ batch: batch.id, status: "failed", limit: 1 });
  await journal.operations({ limit: 1 });
  await journal.payloads(batch.id, 0, 10);
  await journal.recordIntent(fence, batch.id, { kind: "push", plan: 1 });
  await journal.recordStart(fence, batch.id, 0, { pid: 1, start: "1" });
  const settled = [{ result: { id: first!.id, status: "succeeded" } }] as const;
  await journal.recordOutcome(fence, batch.id, { effect: { n: 0, state: "done" }, settled });
  await journal.effects(batch.id);
  await journal.beat(fence);
  await journal.owners();
  done(await journal.release(fence, batch.id, "pending"));
  done(await journal.claim(fence));
  done(await journal.release(fence, batch.id, "queue"));
  await journal.setPaused("git", true);
  await journal.setHold({ kind: "git", reason: "trust" });
  await journal.remember("key", "value");
  await journal.state();
  await journal.queues("git");
  await journal.executed({ side: "git", limit: 1 });
  await journal.executed({ side: "git", limit: 1, after: batch.id });
  await journal.openLanes();
  await journal.executing(git);
  await journal.result(first!.id);
  await journal.clear("git");
  await journal.prune({ olderThanMs: -Infinity });
}

describe("the statements of the journal in SQLite", () => {
  let folder: string;
  let db: DatabaseSync;
  let journal: SqliteJournal;
  beforeEach(async () => {
    folder = temporaryFolder();
    ({ db, journal } = await openOver(folder, (path) => new Recording(path, { timeout: 0 })));
    prepared.length = 0;
  });
  afterEach(async () => {
    await journal.close();
    removeFolder(folder);
  });

  it("are prepared once and never read a whole table of history", async () => {
    await useAll(journal);
    const statements = prepared.filter((sql) => !sql.startsWith("PRAGMA"));
    assert.equal(new Set(statements).size, statements.length);
    const plan = (sql: string): string[] =>
      db
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map((row) => String(row["detail"]));
    const allowed =
      /^SCAN (batch USING (COVERING )?INDEX batch_(pending|executing)|op USING COVERING INDEX op_group)/;
    const scans = statements.flatMap((sql) =>
      plan(sql).filter((line) => line.startsWith("SCAN") && !allowed.test(line)),
    );
    // Small tables: a few counters, holds and lanes.
    assert.deepEqual([...new Set(scans)].sort(), [
      "SCAN counter",
      "SCAN hold USING INDEX sqlite_autoindex_hold_1",
      "SCAN owner USING INDEX sqlite_autoindex_owner_1",
    ]);
    const used = (part: string): string => plan(statements.find((sql) => sql.includes(part))!).join("; ");
    assert.match(used("lane = ? AND status = 'pending'"), /batch_pending \(lane=\?\)$/);
    assert.match(used("GROUP BY grp"), /COVERING INDEX op_group$/);
    assert.match(used("SELECT count(*) AS count FROM op"), /COVERING INDEX op_side/);
  });

  it("go on beside a newer version that has added columns and tables", async () => {
    const newer = new DatabaseSync(join(folder, "journal.sqlite"));
    const tables = newer
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
      .all();
    assert.ok(tables.length > 10);
    for (const { name } of tables) newer.exec(`ALTER TABLE ${String(name)} ADD COLUMN added TEXT`);
    newer.close();
    await useAll(journal);
    const [one] = [operation()];
    const { batch, fence } = await started(journal, [one]);
    await journal.recordIntent(fence, batch.id, { kind: "push", plan: 1 });
    assert.equal("added" in (await journal.effects(batch.id))[0]!, false);
  });
});
