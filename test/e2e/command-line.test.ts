import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type { Snapshot } from "../../src/core/snapshot.ts";
import { git, receivedPushes } from "../support/sample.ts";
import { useDemoWorkbench, useSampleWorkbench } from "../support/workbench/fixtures.ts";
import type { SampleWorkbench } from "../support/workbench/fixtures.ts";
import { listening, openWindows, useHome } from "../support/workbench/home-folder.ts";
import type { Home } from "../support/workbench/home-folder.ts";
import { until } from "../support/workbench/until.ts";
import type { WorkbenchWindow } from "../support/workbench/window.ts";

const run = promisify(execFile);

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** As typed into some terminal of the machine, in a worktree. */
async function batchControl(
  { workbench }: SampleWorkbench,
  cwd: string,
  env: Home,
  ...args: readonly string[]
): Promise<Ended> {
  const storage = path.join(workbench.server.dataDir, "data/User/globalStorage/batch-control.batch-control");
  const launcher = path.join(storage, "bin", "batch-control");
  try {
    const { stdout, stderr } = await run(launcher, args, { cwd, env: { PATH: process.env["PATH"], ...env } });
    return { code: 0, out: stdout, err: stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, out: stdout, err: stderr };
  }
}

describe("The command line", () => {
  const env = useHome();
  const fixture = useDemoWorkbench({ env });
  let window: WorkbenchWindow;
  const state = (): Promise<Snapshot> => window.bridge.command<Snapshot>("batchControl.getState", {});
  const at = (worktree: number, ...args: readonly string[]): Promise<Ended> =>
    batchControl(fixture, fixture.sample.worktrees[worktree]!.path, env, ...args);

  before(async () => {
    window = await fixture.workbench.open(fixture.sample.worktrees[0]!.path);
    await window.bridge.command("batchControl.pause", {});
    await listening(env);
  });

  it("is on the path of a terminal: what is queued there is committed and arrives at the remote", async () => {
    const { branch, path: worktree, files } = fixture.sample.worktrees[0]!;
    const ended = path.join(env.HOME, "ended");
    await window.runCommand("Terminal: Create New Terminal");
    const terminal = window.page.locator(".terminal-wrapper.active .xterm-helper-textarea");
    await terminal.waitFor({ state: "attached" });
    await terminal.focus();
    const commit = `batch-control commit -m 'From a terminal' -- ${files.map((file) => `'${file}'`).join(" ")}`;
    await window.page.keyboard.type(
      `${commit} && batch-control push --wait; echo $? $BATCH_CONTROL_WINDOW > '${ended}'\n`,
    );
    const code = await until("the end of the commands", () =>
      readFile(ended, "utf8").then(
        (text) => text.trim() || undefined,
        () => undefined,
      ),
    );
    assert.deepEqual(
      [`${code}.json`],
      (await openWindows(env)).map((file) => `0 ${file}`),
    );
    assert.equal((await receivedPushes(fixture.sample)).length, 1);
    assert.equal(await git(fixture.sample.remote, "log", "-1", "--format=%s", branch), "From a terminal");
    assert.equal(await git(worktree, "status", "--porcelain"), "");
    const { executed } = (await state()).git;
    assert.deepEqual(
      executed.flatMap(({ operations }) => operations).map(({ source }) => source),
      ["cli", "cli"],
    );
  });

  it("works for another worktree of the repository, and tells programs what came of it", async () => {
    const { branch, files } = fixture.sample.worktrees[1]!;
    const queued = await at(1, "commit", "-m", "For a program", ...files, "--json");
    const { id, status } = JSON.parse(queued.out) as { id: string; status: string };
    assert.deepEqual([queued.code, status], [0, "queued"]);
    const flushed = await at(1, "flush", "git", "--wait", "--json");
    const { outcomes } = JSON.parse(flushed.out) as { outcomes: unknown };
    assert.deepEqual([flushed.code, outcomes], [0, { [id]: "succeeded" }]);
    assert.equal(await git(fixture.sample.clone, "log", "-1", "--format=%s", branch), "For a program");
    const waited = await at(1, "wait", id, "--json");
    const { operations } = JSON.parse(waited.out) as { operations: { result: { commit: string } }[] };
    assert.deepEqual(
      [waited.code, operations.map(({ result }) => result.commit)],
      [0, [await git(fixture.sample.clone, "rev-parse", branch)]],
    );
  });

  it("asks a model and prints the answer", async () => {
    const { code, out, err } = await at(0, "ask", "--model", "claude-haiku-4-5", "--wait", "Say something.");
    assert.deepEqual([code, err], [0, ""]);
    assert.notEqual(out.trim(), "");
  });

  it("ends with 1 and the reason where something cannot be queued, or fails", async () => {
    const missing = await at(2, "commit", "-m", "x", "no such file");
    assert.equal(missing.code, 1);
    assert.match(missing.err, /^files.*no such file/);
    const merge = await at(2, "merge", "no-such-branch", "--into", "main", "--wait");
    assert.equal(merge.code, 1);
    assert.match(merge.err, /no-such-branch/);
    assert.equal((await state()).git.queuedCount, 0);
    const unknown = await at(2, "wait", "01890a5d-ac96-774b-bcce-b302099a8057");
    assert.equal(unknown.code, 1);
    assert.match(unknown.err, /There is no operation/);
  });

  it("says what to do once no window is open", async () => {
    await window.close();
    const { code, out, err } = await until("the window's end", async () => {
      const ended = await at(0, "state");
      // It may still take a call and go away before it answers.
      return ended.code === 0 || ended.err.includes("went away") ? undefined : ended;
    });
    assert.deepEqual([code, out], [1, ""]);
    assert.match(
      err,
      /^No trusted window with Batch Control is open\. Open the folder in VS Code and try again\./,
    );
    assert.deepEqual(await openWindows(env), []);
  });
});

describe("The command line in a workspace that is not trusted", () => {
  const env = useHome();
  const fixture = useSampleWorkbench({ trusted: false, env });

  it("queues nothing, and says why", async () => {
    const window = await fixture.workbench.open(fixture.sample.worktrees[0]!.path);
    await listening(env);
    const { path: worktree, files } = fixture.sample.worktrees[0]!;
    const { code, err } = await batchControl(fixture, worktree, env, "commit", "-m", "x", ...files);
    assert.equal(code, 1);
    assert.match(err, /not trusted/);
    const { git: side } = await window.bridge.command<Snapshot>("batchControl.getState", {});
    assert.equal(side.queuedCount, 0);
  });
});
