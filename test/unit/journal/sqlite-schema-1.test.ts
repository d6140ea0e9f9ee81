import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { StatementSync } from "node:sqlite";
import { migrate, migrations } from "../../../src/journal/sqlite/schema.ts";
import { git, queuedIds, started, operation } from "./fixtures.ts";
import { damageMiddle, openIn, removeFolder, temporaryFolder } from "./sqlite-fixtures.ts";

/** Writes what a window with the first schema wrote. */
class Version1 {
  readonly db: DatabaseSync;
  readonly #op: StatementSync;
  readonly #payload: StatementSync;
  #count = 0;

  constructor(path: string) {
    this.db = new DatabaseSync(path);
    this.db.exec("PRAGMA journal_mode = WAL");
    migrate(this.db, migrations.slice(0, 1));
    this.#op = this.db.prepare(
      `INSERT INTO op (id, kind, side, grp, lane, label, source, enqueued_at, status, position, bytes, retry_of, detail,
         idempotency_key, fingerprint) VALUES (?, 'commit', 'git', ?, ?, 'old', 'cli', 7, 'queued', ?, ?, NULL, NULL, NULL, 'f')`,
    );
    this.#payload = this.db.prepare(
      "INSERT OR REPLACE INTO payload (op, text, file) SELECT seq, ?, ? FROM op WHERE id = ?",
    );
  }

  enqueue(payload: string): string {
    this.#count += 1;
    const id = `old-${this.#count}`;
    this.#op.run(id, git, git, this.#count, payload.length);
    this.#payload.run(payload, null, id);
    this.db.exec(
      `INSERT INTO sequence VALUES ('position', ${this.#count}) ON CONFLICT (name) DO UPDATE SET value = max(value, ${this.#count})`,
    );
    return id;
  }
}

describe("a journal in SQLite of the first schema", () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = temporaryFolder();
    path = join(folder, "journal.sqlite");
  });
  afterEach(() => removeFolder(folder));

  const origin = { machine: "desk", window: "w1", workspace: "app" };

  it("is raised with all that is in it, while a window that knows only that schema goes on beside", async () => {
    const old = new Version1(path);
    const before = old.enqueue("before");
    const { journal, report } = await openIn(folder, undefined, { origin });
    assert.equal(report.migratedFrom, 1);
    const beside = old.enqueue("beside");
    const mine = operation("commit");
    await journal.enqueue([mine]);
    assert.deepEqual(await queuedIds(journal), [before, beside, mine.id]);
    assert.equal((await journal.operation(before))?.payload, "before");
    assert.equal((await journal.operation(beside))?.payload, "beside");
    assert.equal("origin" in (await journal.operation(beside))!, false);
    assert.deepEqual((await journal.operation(mine.id))?.origin, origin);
    const seen = old.db.prepare("SELECT text FROM payload JOIN op ON op.seq = op WHERE id = ?").get(mine.id);
    assert.equal(seen?.["text"], mine.payload);
    assert.deepEqual(migrate(old.db, migrations.slice(0, 1)), { kind: "current" });
    old.db.close();
    const { batch } = await started(journal, [operation()]);
    assert.equal(batch.operationCount, 4);
    await journal.close();
  });

  it("gets columns that say that everything is local and nobody else's, and lets no git operation be shared", async () => {
    const old = new Version1(path);
    old.enqueue("before");
    old.db.close();
    const { journal } = await openIn(folder);
    await journal.enqueue([operation("commit"), operation("request")]);
    await journal.close();
    const db = new DatabaseSync(path);
    assert.deepEqual(
      db
        .prepare("SELECT DISTINCT visibility, tenant FROM op")
        .all()
        .map((row) => ({ ...row })),
      [{ visibility: "local", tenant: "" }],
    );
    const share = (side: string): void =>
      db.exec(`UPDATE op SET visibility = 'shared', tenant = 'team' WHERE side = '${side}'`);
    share("llm");
    assert.throws(() => share("git"), /CHECK constraint failed/);
    assert.throws(() => db.exec("UPDATE op SET visibility = 'everywhere'"), /CHECK constraint failed/);
    db.close();
  });

  it("is salvaged like any other when it is damaged", async () => {
    const old = new Version1(path);
    old.db.exec("BEGIN");
    const given = Array.from({ length: 400 }, () => old.enqueue("y".repeat(3000)));
    old.db.exec("COMMIT");
    old.db.close();
    damageMiddle(path);
    const { journal, report } = await openIn(folder);
    assert.notEqual(report.damaged, undefined);
    const saved = await queuedIds(journal);
    assert.ok(saved.length > 100 && saved.length < given.length, `${saved.length} saved`);
    assert.equal((await journal.operation(saved[0]!))?.payload, "y".repeat(3000));
    await journal.close();
  });
});
