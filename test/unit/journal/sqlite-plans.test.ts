import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { done, git, operation, started } from "./fixtures.ts";
import { openIn, removeFolder, temporaryFolder } from "./sqlite-fixtures.ts";

describe("the query plans of the journal in SQLite", () => {
  it("never read a whole table of history", async () => {
    const folder = temporaryFolder();
    const { journal } = await openIn(folder);
    const { fence, batch } = await started(journal, [operation(), operation()]);
    const [first] = await journal.operations({ batch: batch.id, limit: 1 });
    await journal.operations({ status: "failed", limit: 1 });
    await journal.operations({ batch: batch.id, status: "failed", limit: 1 });
    await journal.payloads(batch.id, 0, 10);
    await journal.recordOutcome(fence, batch.id, {
      settled: [{ result: { id: first!.id, status: "succeeded" } }],
    });
    done(await journal.release(fence, batch.id, "pending"));
    done(await journal.claim(fence));
    done(await journal.release(fence, batch.id, "queue"));
    await journal.state();
    await journal.queues("git");
    await journal.openLanes();
    await journal.executing(git);
    await journal.result(first!.id);
    await journal.clear("git");
    await journal.prune(Infinity);
    const db = new DatabaseSync(join(folder, "journal.sqlite"));
    const scans = journal.statements
      .filter((sql) => !sql.startsWith("PRAGMA"))
      .flatMap((sql) =>
        db
          .prepare(`EXPLAIN QUERY PLAN ${sql}`)
          .all()
          .map((row) => `${String(row["detail"])} <- ${sql}`)
          .filter((line) =>
            /^SCAN (op|batch|payload|result|effect|event)\b(?! USING (COVERING )?INDEX batch_(pending|executing))/.test(
              line,
            ),
          ),
      );
    assert.deepEqual(scans, []);
    const plan = (sql: string): string =>
      db
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map((row) => String(row["detail"]))
        .join("; ");
    const used = (part: string): string => journal.statements.find((sql) => sql.includes(part))!;
    assert.match(plan(used("lane = ? AND status = 'pending'")), /batch_pending \(lane=\?\)$/);
    assert.match(plan(used("GROUP BY grp")), /COVERING INDEX op_queue \(side=\?\)$/);
    assert.match(plan(used("SELECT count(*) AS count FROM op")), /COVERING INDEX op_side/);
    db.close();
    await journal.close();
    removeFolder(folder);
  });
});
