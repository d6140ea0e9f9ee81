import assert from "node:assert/strict";
import { mkdtemp, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keepDeleted, restoreDeleted } from "../../../../src/host/results/deleted-files.ts";

describe("Files that an answer deletes", () => {
  let folder: string;
  const at = (name: string): string => join(folder, name);
  const deletion = (name: string, before: string) => ({ path: at(name), name, before });
  const saved = (): boolean => false;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "batch-control-deleted-"));
    await mkdir(at("src"));
    await writeFile(at("src/run.sh"), Buffer.from("caf\xe9\r\n", "latin1"), { mode: 0o700 });
    await writeFile(at("kept.js"), "kept");
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("come back byte by byte, with their mode and their folder, and nothing else is written", async () => {
    const changes = [deletion("src/run.sh", "café\n"), { ...deletion("kept.js", "kept"), after: "new" }];
    const kept = await keepDeleted(changes, saved);
    await rm(at("src"), { recursive: true });
    assert.deepEqual(await restoreDeleted(kept), { restored: ["src/run.sh"], left: [] });
    assert.equal(await readFile(at("src/run.sh"), "latin1"), "caf\xe9\r\n");
    assert.equal((await stat(at("src/run.sh"))).mode & 0o777, 0o700);
    assert.equal(await readFile(at("kept.js"), "utf8"), "kept");
  });

  it("come back as an editor held them unsaved", async () => {
    const kept = await keepDeleted([deletion("kept.js", "typed, not saved")], () => true);
    await rm(at("kept.js"));
    await restoreDeleted(kept);
    assert.equal(await readFile(at("kept.js"), "utf8"), "typed, not saved");
  });

  it("are left where something is there again", async () => {
    const kept = await keepDeleted([deletion("kept.js", "kept")], saved);
    await writeFile(at("kept.js"), "another");
    assert.deepEqual(await restoreDeleted(kept), { restored: [], left: ["kept.js"] });
    assert.equal(await readFile(at("kept.js"), "utf8"), "another");
  });
});
