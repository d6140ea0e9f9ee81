import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { untilFilesAreNewer } from "../../../src/git/file-clock.ts";

describe("git: the clock that stamps files", () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "batch-control-test-"))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("has passed the time that was given, and leaves nothing behind", async () => {
    for (let round = 0; round < 50; round += 1) {
      const now = Date.now();
      await untilFilesAreNewer(folder, now);
      const file = join(folder, String(round));
      writeFileSync(file, "");
      assert.ok(statSync(file).birthtimeMs >= now, `${statSync(file).birthtimeMs} < ${now}`);
    }
    assert.equal(readdirSync(folder).length, 50);
  });

  it("is not waited for where it is far behind", async () => {
    await untilFilesAreNewer(folder, Date.now() + 3_600_000);
    assert.deepEqual(readdirSync(folder), []);
  });

  it("is not waited for where no file can be written", async () => {
    await untilFilesAreNewer(join(folder, "none"), Date.now());
  });
});
