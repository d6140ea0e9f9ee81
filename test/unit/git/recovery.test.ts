import assert from "node:assert/strict";
import { rmSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { FencedError, JournalError } from "../../../src/core/errors.ts";
import type { ExecutionContext } from "../../../src/core/executor.ts";
import { GitAcceptor, ProcessGitRunner } from "../../../src/git/index.ts";
import { Desk } from "./desk.ts";
import { Sandbox } from "./sandbox.ts";

/**
 * A window that dies at its n-th word to the journal, just after it is written; or just before its n-th outcome, when the
 * step is done and nobody knows. Just before an intent is the same as after the word before it.
 */
function dying(
  context: ExecutionContext,
  at: number,
  after: boolean,
): { readonly context: ExecutionContext; readonly died: () => boolean } {
  let words = 0;
  let dead = false;
  const word = async <T>(write: () => Promise<T>, counts: boolean): Promise<T> => {
    if (dead) throw new FencedError("test");
    if (counts) words += 1;
    dead = counts && words === at;
    if (dead && !after) throw new FencedError("test");
    const answer = await write();
    if (dead) throw new FencedError("test");
    return answer;
  };
  return {
    context: {
      ...context,
      intent: (kind, plan) => word(() => context.intent(kind, plan), after),
      outcome: (outcome) => word(() => context.outcome(outcome), true),
    },
    died: () => dead,
  };
}

/** A window that dies when git brings a working tree forward, which leaves what `leave` does; then before and after `then`. */
class DiesInForward extends ProcessGitRunner {
  readonly #leave: () => void;
  readonly #deaths: string[];

  constructor(leave: () => void, environment: NodeJS.ProcessEnv, then?: string) {
    super(() => "git", environment);
    this.#leave = leave;
    this.#deaths = ["--ff-only", ...(then === undefined ? [] : [then, then])];
  }

  override async run(...call: Parameters<ProcessGitRunner["run"]>): ReturnType<ProcessGitRunner["run"]> {
    const [at] = this.#deaths;
    if (at === undefined || !call[1].includes(at)) return super.run(...call);
    this.#deaths.shift();
    if (at === "--ff-only") this.#leave();
    else if (this.#deaths.length === 0) await super.run(...call);
    throw new FencedError("test");
  }
}

describe("git: going on after a crash", function () {
  this.timeout(600_000);
  let sandbox: Sandbox;
  beforeEach(() => (sandbox = new Sandbox()));
  afterEach(() => sandbox.dispose());

  const collectGarbage = (repository: string): void => {
    sandbox.git(repository, "reflog", "expire", "--expire=now", "--all");
    sandbox.git(repository, "gc", "-q", "--prune=now");
  };

  for (const engine of ["fast", "porcelain"] as const) {
    it(`does nothing twice and loses nothing, wherever the window dies (${engine})`, async () => {
      for (const after of [false, true]) {
        for (let at = 1, died = true; died; at += 1) {
          const name = `${at}-${after}`;
          const main = sandbox.repository(name, { "a.txt": "1\n" });
          if (engine === "porcelain") sandbox.hook(main, "pre-commit", "exit 0");
          for (const branch of ["free", "side"]) sandbox.git(main, "branch", branch);
          const worktree = sandbox.worktree(main, `topic-${name}`);
          const remote = sandbox.remote(main, `${name}.git`);
          const desk = new Desk(sandbox);
          const ids: string[] = [];
          for (const file of ["one.txt", "two.txt"]) {
            sandbox.write(join(worktree, file), "x\n");
            ids.push(await desk.enqueue({ worktree, message: file, files: [file] }));
          }
          const source = `topic-${name}`;
          ids.push(await desk.enqueue({ worktree, source, target: "free" }));
          ids.push(await desk.enqueue({ worktree, source, target: "main", push: true }));
          ids.push(await desk.enqueue({ worktree }));
          const batch = desk.seal([...desk.operations.values()]);
          const first = dying(desk.context(batch, new AbortController().signal), at, after);
          await desk.executor.run(batch, first.context);
          died = first.died();
          assert.deepEqual(await desk.execute(batch), { kind: "ended" });
          const where = after ? `died after word ${at}` : `died before outcome ${at}`;
          assert.deepEqual(
            desk.ends(ids),
            ids.map(() => "succeeded"),
            where,
          );
          assert.equal(sandbox.git(worktree, "log", "--format=%s"), "two.txt\none.txt\nfirst\n", where);
          assert.equal(sandbox.status(worktree), "", where);
          assert.equal(sandbox.status(main), "", where);
          for (const target of ["free", "main"]) {
            assert.equal(
              sandbox.git(main, "log", "--first-parent", "--format=%s", target),
              `Merge branch '${source}' into ${target}\nfirst\n`,
              where,
            );
          }
          assert.equal(sandbox.tip(remote.path, "main"), sandbox.tip(main, "main"), where);
          assert.equal(sandbox.tip(remote.path, source), sandbox.tip(worktree, "HEAD"), where);
          assert.equal(remote.pushes().length, 1, where);
          assert.equal(
            sandbox.git(main, "for-each-ref", "refs/batch-control/pin", "refs/batch-control/tmp"),
            "",
            where,
          );
        }
      }
    });
  }

  it("fails nothing where an outcome could not be written down, and finds it in the next turn", async () => {
    const main = sandbox.repository("clone");
    const desk = new Desk(sandbox);
    sandbox.write(join(main, "a.txt"), "2\n");
    const id = await desk.enqueue({ worktree: main, message: "mine", files: ["a.txt"] });
    const batch = desk.seal([...desk.operations.values()]);
    const locked = new JournalError("locked", "The journal is kept locked by another program.");
    const outcome = (): Promise<never> => Promise.reject(locked);
    const context = { ...desk.context(batch, new AbortController().signal), outcome };
    await assert.rejects(desk.executor.run(batch, context), locked);
    assert.equal(desk.results.size, 0);
    assert.deepEqual(await desk.execute(batch), { kind: "ended" });
    assert.deepEqual(desk.ends([id]), ["succeeded"]);
    assert.equal(sandbox.git(main, "log", "--format=%s"), "mine\nfirst\n");
  });

  it("removes the locks that it left when it was killed, and commits", async () => {
    const main = sandbox.repository("clone");
    const desk = new Desk(sandbox);
    sandbox.write(join(main, "a.txt"), "2\n");
    const id = await desk.enqueue({ worktree: main, message: "mine", files: ["a.txt"] });
    const batch = desk.seal([...desk.operations.values()]);
    await desk.executor.run(batch, dying(desk.context(batch, new AbortController().signal), 1, true).context);
    const effects = desk.effects.get(batch.id)!;
    // No process has this number: it is beyond what a system gives.
    effects[0] = { ...effects[0]!, state: "started", process: { pid: 2 ** 30, start: "?" } };
    const locks = ["refs/heads/main.lock", "index.lock"].map((name) => join(main, ".git", name));
    for (const lock of locks) sandbox.write(lock, "");
    // As a prepared index has it.
    utimesSync(locks[1]!, 1, 1);
    effects[0] = { ...effects[0], at: Date.now() - 1000 };
    assert.deepEqual(await desk.execute(batch), { kind: "ended" });
    assert.deepEqual(desk.ends([id]), ["succeeded"]);
    assert.deepEqual(
      locks.map((lock) => sandbox.exists(lock)),
      [false, false],
    );
  });

  it("removes every lock that a killed fast-forward left, and merges", async () => {
    const main = sandbox.repository("clone");
    const worktree = sandbox.worktree(main, "topic");
    sandbox.git(worktree, "commit", "-q", "--allow-empty", "-m", "topic");
    const left = ["refs/heads/main.lock", "index.lock", "HEAD.lock", "ORIG_HEAD.lock"];
    const locks = [...left, "packed-refs.lock", "packed-refs.new"].map((name) => join(main, ".git", name));
    const git = new DiesInForward(() => {
      for (const lock of locks) sandbox.write(lock, "");
    }, sandbox.environment);
    const desk = new Desk(sandbox, {}, { git });
    const id = await desk.enqueue({ worktree: main, source: "topic", target: "main" });
    const batch = desk.seal([...desk.operations.values()]);
    await desk.execute(batch);
    const effects = desk.effects.get(batch.id)!;
    effects[0] = { ...effects[0]!, state: "started", process: { pid: 2 ** 30, start: "?" } };
    assert.deepEqual(await desk.execute(batch), { kind: "ended" });
    assert.deepEqual(desk.ends([id]), ["succeeded"]);
    assert.deepEqual(
      locks.filter((lock) => sandbox.exists(lock)),
      [],
    );
  });

  it("builds on an earlier commit of the path that is made while the next one is being queued", async () => {
    const main = sandbox.repository("clone");
    const desk = new Desk(sandbox);
    sandbox.write(join(main, "a.txt"), "2\n");
    const first = await desk.enqueue({ worktree: main, message: "first change", files: ["a.txt"] });
    sandbox.write(join(main, "a.txt"), "3\n");
    const acceptor = new GitAcceptor({
      ...desk.deps,
      operation: async (id) => {
        if (desk.operations.get(id)?.status === "queued") await desk.flush();
        return desk.operations.get(id);
      },
    });
    const second = desk.newId();
    const input = { worktree: main, message: "second change", files: ["a.txt"] };
    desk.store(second, await acceptor.accept(input, { id: second, source: "extension", interactive: false }));
    await desk.flush();
    assert.deepEqual(desk.ends([first, second]), ["succeeded", "succeeded"]);
  });

  it("re-plans onto a branch that moved while it was away, without reverting it", async () => {
    const main = sandbox.repository("clone", { "a.txt": "1\n", "b.txt": "1\n" });
    const desk = new Desk(sandbox);
    sandbox.write(join(main, "a.txt"), "2\n");
    const id = await desk.enqueue({ worktree: main, message: "mine", files: ["a.txt"] });
    const batch = desk.seal([...desk.operations.values()]);
    await desk.executor.run(batch, dying(desk.context(batch, new AbortController().signal), 1, true).context);
    sandbox.write(join(main, "b.txt"), "2\n");
    sandbox.git(main, "commit", "-q", "-m", "theirs", "b.txt");
    await desk.execute(batch);
    assert.deepEqual(desk.ends([id]), ["succeeded"]);
    assert.equal(sandbox.git(main, "log", "--format=%s"), "mine\ntheirs\nfirst\n");
    assert.equal(sandbox.git(main, "show", "HEAD:b.txt"), "2\n");
  });

  for (const more of ["", "and garbage was collected", "and so was the healing"]) {
    const collected = more.includes("garbage");
    it(`repeats a fast-forward that was cut off half way${more === "" ? "" : `, ${more}`}`, async () => {
      const main = sandbox.repository("clone", {
        "a.txt": "1\n",
        "b.txt": "1\n",
        "c.txt": "0\n",
        "grows.txt": "1\n",
        folder: "1\n",
      });
      const worktree = sandbox.worktree(main, "topic");
      sandbox.remove(join(worktree, "folder"));
      sandbox.write(join(worktree, "a.txt"), "2\n");
      sandbox.write(join(worktree, "new.txt"), "2\n");
      sandbox.write(join(worktree, "c.txt"), "1\n2\n");
      sandbox.write(join(worktree, "begun.txt"), "begun\n");
      // The old content is how the new one begins.
      sandbox.write(join(worktree, "grows.txt"), "1\n2\n");
      sandbox.write(join(worktree, "folder/file"), "2\n");
      symlinkSync("a.txt", join(worktree, "link"));
      sandbox.git(worktree, "rm", "-q", "b.txt");
      sandbox.git(worktree, "add", "-A");
      sandbox.git(worktree, "commit", "-q", "-m", "topic");
      sandbox.git(main, "commit", "-q", "--allow-empty", "-m", "meanwhile");
      const healed = more.includes("healing");
      const leave = (): void => {
        // What a git that was killed leaves: some files written, the index as it was.
        sandbox.write(join(main, "a.txt"), "2\n");
        sandbox.write(join(main, "new.txt"), "2\n");
        // Git makes each file anew.
        sandbox.remove(join(main, "c.txt"));
        sandbox.write(join(main, "c.txt"), "1\n");
        sandbox.write(join(main, "begun.txt"), "");
        rmSync(join(main, "folder"), { recursive: true });
        sandbox.write(join(main, "folder/file"), "2\n");
        rmSync(join(main, "link"), { force: true });
        symlinkSync("a.txt", join(main, "link"));
      };
      const git = new DiesInForward(leave, sandbox.environment, healed ? "update-index" : undefined);
      const desk = new Desk(sandbox, {}, { git });
      const id = await desk.enqueue({ worktree: main, source: "topic", target: "main" });
      const batch = desk.seal([...desk.operations.values()]);
      await desk.execute(batch);
      assert.equal(
        sandbox.status(main),
        " M a.txt\n M c.txt\n D folder\n?? begun.txt\n?? link\n?? new.txt\n",
      );
      if (collected) collectGarbage(main);
      if (healed) for (let death = 1; death <= 2; death += 1) await desk.execute(batch);
      await desk.execute(batch);
      assert.deepEqual(desk.ends([id]), ["succeeded"]);
      assert.equal(sandbox.status(main), "");
      assert.equal(sandbox.read(join(main, "grows.txt")), "1\n2\n");
      assert.equal(sandbox.exists(join(main, "b.txt")), false);
      assert.equal(sandbox.read(join(main, "begun.txt")), "begun\n");
      assert.equal(
        sandbox.git(main, "log", "--first-parent", "--format=%s"),
        "Merge branch 'topic' into main\nmeanwhile\nfirst\n",
      );
    });
  }

  it("makes merges again that garbage collection took before any branch had them", async () => {
    const main = sandbox.repository("clone");
    sandbox.git(main, "branch", "free");
    const worktree = sandbox.worktree(main, "topic");
    sandbox.git(worktree, "commit", "-q", "--allow-empty", "-m", "topic");
    for (const word of [1, 2, 3]) {
      const desk = new Desk(sandbox);
      sandbox.git(worktree, "commit", "-q", "--allow-empty", "-m", `topic ${word}`);
      const ids: string[] = [];
      for (const target of ["free", "main"])
        ids.push(await desk.enqueue({ worktree: main, source: "topic", target }));
      const batch = desk.seal([...desk.operations.values()]);
      const context = desk.context(batch, new AbortController().signal);
      await desk.executor.run(batch, dying(context, word, true).context);
      collectGarbage(main);
      await desk.execute(batch);
      assert.deepEqual(desk.ends(ids), ["succeeded", "succeeded"]);
      assert.equal(
        desk.effects.get(batch.id)?.some(({ state }) => state === "intent" || state === "started"),
        false,
      );
    }
  });

  it("removes only a lock that its own dead process left behind", async () => {
    for (const own of [true, false]) {
      const main = sandbox.repository(`own-${own}`, { "a.txt": "1\n" });
      sandbox.hook(main, "pre-commit", "exit 0");
      const desk = new Desk(sandbox);
      sandbox.write(join(main, "a.txt"), `${own}\n`);
      const id = await desk.enqueue({ worktree: main, message: `${own}`, files: ["a.txt"] });
      const batch = desk.seal([...desk.operations.values()]);
      const context = desk.context(batch, new AbortController().signal);
      await desk.executor.run(batch, dying(context, 1, true).context);
      if (own) await context.started(0, { pid: 2 ** 22 - 1, start: "dead" });
      sandbox.write(join(main, ".git/index.lock"), "");
      await desk.execute(batch);
      assert.deepEqual(desk.ends([id]), [own ? "succeeded" : "locked"]);
      assert.equal(sandbox.exists(join(main, ".git/index.lock")), !own);
      if (!own)
        assert.match(
          desk.result(id).error ?? "",
          /index\.lock is held by another process or left over by one/,
        );
    }
  });
});
