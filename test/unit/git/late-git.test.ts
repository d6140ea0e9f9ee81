import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { closeSync, copyFileSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { FencedError } from "../../../src/core/errors.ts";
import type { Clock } from "../../../src/core/ports.ts";
import { ProcessGitRunner } from "../../../src/git/index.ts";
import { Desk, hastyClock } from "./desk.ts";
import { Sandbox } from "./sandbox.ts";

/** Does something once, just after git has run what `is` says. */
class Meanwhile extends ProcessGitRunner {
  readonly #is: (args: readonly string[]) => boolean;
  readonly #task: () => void;
  #done = false;

  constructor(environment: NodeJS.ProcessEnv, is: (args: readonly string[]) => boolean, task: () => void) {
    super(() => "git", environment);
    this.#is = is;
    this.#task = task;
  }

  override async run(...call: Parameters<ProcessGitRunner["run"]>): ReturnType<ProcessGitRunner["run"]> {
    const end = await super.run(...call);
    if (!this.#done && this.#is(call[1])) {
      this.#done = true;
      this.#task();
    }
    return end;
  }
}

class DiesAtForward extends ProcessGitRunner {
  constructor(environment: NodeJS.ProcessEnv) {
    super(() => "git", environment);
  }

  override run(...call: Parameters<ProcessGitRunner["run"]>): ReturnType<ProcessGitRunner["run"]> {
    return call[1].includes("--ff-only") ? Promise.reject(new FencedError("test")) : super.run(...call);
  }
}

describe("git: what a dead window had begun and what comes only now", function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  beforeEach(() => (sandbox = new Sandbox()));
  afterEach(() => sandbox.dispose());

  const moments = {
    "after it was looked for": "--format=%H %P%x00%gs",
    "while the branch is read": "diff-index",
    "just before it is made again": "update-index",
  };
  for (const [moment, word] of Object.entries(moments)) {
    it(`a commit is found, and not made twice, if it comes ${moment}`, async () => {
      const main = sandbox.repository("clone", { "a.txt": "1\n", "b.txt": "1\n" });
      sandbox.hook(main, "pre-commit", "exit 0");
      sandbox.write(join(main, "a.txt"), "2\n");
      const blob = sandbox.git(main, "hash-object", "-w", "a.txt").trim();
      let id = "";
      const late = (): void => {
        const index = sandbox.path("index");
        copyFileSync(join(main, ".git/index"), index);
        const env = { ...sandbox.environment, GIT_INDEX_FILE: index };
        execFileSync("git", ["update-index", "--cacheinfo", `100644,${blob},a.txt`], { cwd: main, env });
        const named = { ...env, GIT_REFLOG_ACTION: `batch-control:${id}` };
        execFileSync("git", ["commit", "-q", "-m", "mine"], { cwd: main, env: named });
      };
      const git = new Meanwhile(sandbox.environment, (args) => args.includes(word), late);
      const first = new Desk(sandbox);
      id = await first.enqueue({ worktree: main, message: "mine", files: ["a.txt"] });
      sandbox.write(join(main, "a.txt"), "3\n");
      const next = await first.enqueue({ worktree: main, message: "next", files: ["a.txt"] });
      const desk = new Desk(sandbox, {}, { git });
      for (const [key, value] of first.operations) desk.operations.set(key, value);
      const batch = desk.seal([...desk.operations.values()]);
      // As a window leaves it that dies before it could note the process that it had started.
      const context = desk.context(batch, new AbortController().signal);
      const tip = sandbox.git(main, "rev-parse", "HEAD").trim();
      await context.intent("commit", { id, worktree: main, ref: "refs/heads/main", old: tip });
      assert.deepEqual(await desk.execute(batch), { kind: "ended" });
      assert.deepEqual(desk.ends([id, next]), ["succeeded", "succeeded"]);
      assert.equal(sandbox.git(main, "log", "--format=%s"), "next\nmine\nfirst\n");
      assert.equal(desk.result(id).commit, sandbox.git(main, "rev-parse", "HEAD~").trim());
      assert.equal(sandbox.git(main, "show", "HEAD:a.txt"), "3\n");
      assert.equal(sandbox.status(main), "");
    });
  }

  it("a fast-forward that still writes files is waited for, and not disturbed", async () => {
    const main = sandbox.repository("clone", { "a.txt": "1\n" });
    const topic = sandbox.worktree(main, "topic");
    sandbox.write(join(topic, "a.txt"), "2\n");
    sandbox.git(topic, "commit", "-q", "-am", "topic");
    const lock = join(main, ".git/index.lock");
    const dead = new DiesAtForward(sandbox.environment);
    const desk = new Desk(sandbox, {}, { git: dead });
    const id = await desk.enqueue({ worktree: main, source: "topic", target: "main" });
    const batch = desk.seal([...desk.operations.values()]);
    await desk.execute(batch);
    // The process goes on without its window: half of its work is done, and the rest comes while somebody waits.
    const open = openSync(lock, "wx");
    sandbox.write(join(main, "a.txt"), "2");
    let waits = 0;
    const clock: Clock = {
      now: () => Date.now(),
      after: (ms, callback) => {
        waits += 1;
        if (waits === 2) {
          closeSync(open);
          rmSync(lock);
          sandbox.write(join(main, "a.txt"), "1\n");
          const forward = `refs/batch-control/tmp/${batch.id}/forward`;
          sandbox.git(main, "merge", "-q", "--ff-only", forward);
        }
        return hastyClock.after(ms, callback);
      },
    };
    const next = new Desk(sandbox, {}, { clock });
    for (const [key, value] of desk.operations) next.operations.set(key, value);
    next.effects.set(batch.id, desk.effects.get(batch.id)!);
    assert.deepEqual(await next.execute(batch), { kind: "ended" });
    assert.deepEqual(next.ends([id]), ["succeeded"]);
    assert.equal(waits, 2);
    assert.equal(
      sandbox.git(main, "log", "--format=%s", "--first-parent"),
      "Merge branch 'topic' into main\nfirst\n",
    );
    assert.equal(next.result(id).commit, sandbox.tip(main, "main"));
    assert.equal(sandbox.status(main), "");
  });
});
