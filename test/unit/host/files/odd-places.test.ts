import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, lstat, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeWhole } from "../../../../src/host/files/write-whole.ts";
import { openFile } from "../../../../src/host/open-file.ts";

describe("A file that is none of the usual", () => {
  let folder: string;
  const at = (name: string): string => join(folder, name);
  async function* text(): AsyncIterable<string> {
    yield await Promise.resolve("new\n");
  }

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "batch-control-odd-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("is written through a link, which stays one, and keeps its permissions", async () => {
    await writeFile(at("real.txt"), "old\n");
    await chmod(at("real.txt"), 0o600);
    await symlink("real.txt", at("link.txt"));
    await writeWhole(at("link.txt"), text);
    assert.ok((await lstat(at("link.txt"))).isSymbolicLink());
    assert.equal(await readFile(at("real.txt"), "utf8"), "new\n");
    assert.equal((await stat(at("real.txt"))).mode & 0o777, 0o600);
  });

  it("is not replaced where it is a pipe, and opening one to read waits for nobody", async function () {
    if (process.platform === "win32") this.skip();
    execFileSync("mkfifo", [at("pipe")]);
    await assert.rejects(writeWhole(at("pipe"), text), /file: .*pipe is not a plain file; name another one/);
    assert.ok((await lstat(at("pipe"))).isFIFO());
    await assert.rejects(openFile(at("pipe"), "file"), /file: .*pipe is not a file/);
  });
});
