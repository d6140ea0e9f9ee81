import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { writeLaunchers } from "../../../src/agents/launcher.ts";

const run = promisify(execFile);

describe("The launcher of the command line", () => {
  let folder: string;
  let node: string;
  let program: string;
  const bin = () => path.join(folder, "bin");
  const launcher = () => path.join(bin(), "batch-control");
  const write = (file = program) => writeLaunchers({ folder: bin(), node, program: file });

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "batch-control-launcher-"));
    const strange = path.join(folder, `it's "a" $(b) %PATH%`);
    await mkdir(strange);
    node = path.join(strange, "node");
    await symlink(process.execPath, node);
    program = path.join(strange, "cli.cjs");
    await writeFile(
      program,
      "console.log(JSON.stringify([process.env.ELECTRON_RUN_AS_NODE, ...process.argv.slice(2)])); process.exitCode = 3;",
    );
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("starts the program as Node with all arguments, and ends as it does, wherever both lie", async () => {
    await write();
    const args = ["-m", "a b", "$(c)", "'", "", "x\ny"];
    const error = await run(launcher(), args).catch((thrown: unknown) => thrown);
    const { code, stdout } = error as { code: number; stdout: string };
    assert.equal(code, 3);
    assert.deepEqual(JSON.parse(stdout), ["1", ...args]);
  });

  it("has one for Windows, too, where a percent sign is doubled and lines end as there", async () => {
    await write();
    const text = await readFile(`${launcher()}.cmd`, "utf8");
    assert.ok(text.includes("%%PATH%%"));
    assert.ok(text.endsWith(" %*\r\n"));
    assert.doesNotMatch(text, /[^\r]\n/);
  });

  it("is written again only where it would be another one, or cannot be run", async () => {
    await write();
    const long = new Date("2020-01-01");
    const touched = async (): Promise<boolean> => (await stat(launcher())).mtimeMs !== long.getTime();
    await utimes(launcher(), long, long);
    await write();
    assert.equal(await touched(), false);
    await chmod(launcher(), 0o644);
    await write();
    assert.deepEqual([await touched(), (await stat(launcher())).mode & 0o777], [true, 0o755]);
    await utimes(launcher(), long, long);
    await write(`${program}.later`);
    assert.equal(await touched(), true);
    assert.deepEqual((await readdir(bin())).sort(), ["batch-control", "batch-control.cmd"]);
  });
});
