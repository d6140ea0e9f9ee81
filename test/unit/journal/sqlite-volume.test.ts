import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { done, operation, queuedIds, started } from "./fixtures.ts";
import { openIn, removeFolder, temporaryFolder } from "./sqlite-fixtures.ts";

/** Needs a volume of its own, which only the administrator of a Linux machine can make. */
describe("the journal in SQLite on a volume that fills up", () => {
  let volume: string;
  before(function () {
    volume = temporaryFolder();
    const made = spawnSync("/bin/mount", ["-t", "tmpfs", "-o", "size=6m", "tmpfs", volume]);
    if (made.status !== 0) {
      removeFolder(volume);
      this.skip();
    }
  });
  after(() => {
    if (!existsSync(volume)) return;
    // Lazily: a test that failed may have left the journal open.
    spawnSync("/bin/umount", ["-l", volume]);
    removeFolder(volume);
  });

  /** Leaves not one block free. */
  function fill(): void {
    for (const block of [65_536, 4096]) {
      for (let n = 0; ; n += 1) {
        const { bavail, bsize } = statfsSync(volume);
        if (bavail * bsize < block) break;
        writeFileSync(join(volume, `filler-${block}-${n}`), Buffer.alloc(block, 1));
      }
    }
  }

  it("refuses what is new, still records what was done, and accepts again once there is room", async () => {
    const folder = join(volume, "journal");
    const { journal } = await openIn(folder);
    const given = [operation("request"), operation("request")];
    const { fence, batch } = await started(journal, given);
    fill();
    const payload = "x".repeat(200_000);
    for (const size of [30_000, 200_000]) {
      const refused = journal.enqueue(
        Array.from({ length: 8 }, () => operation("request", { payload: payload.slice(0, size) })),
      );
      await assert.rejects(refused, { name: "JournalError", reason: "full" });
    }
    assert.deepEqual(await queuedIds(journal), []);
    const settled = given.map(({ id }) => ({ result: { id, status: "succeeded", text: payload } }) as const);
    assert.equal(done(await journal.recordOutcome(fence, batch.id, { settled })).status, "completed");
    assert.equal((await journal.result(given[1]!.id))?.text, payload);
    for (let n = 0; existsSync(join(volume, `filler-65536-${n}`)); n += 1)
      rmSync(join(volume, `filler-65536-${n}`));
    const last = operation();
    await journal.enqueue([last]);
    await journal.close();
    const again = await openIn(folder);
    assert.equal(again.report.damaged, undefined);
    assert.deepEqual(await queuedIds(again.journal), [last.id]);
    assert.equal((await again.journal.batch(batch.id))?.status, "completed");
    await again.journal.close();
  });
});
