import assert from "node:assert/strict";
import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { FencedError } from "../../../src/core/errors.ts";
import { ProcessGitRunner } from "../../../src/git/index.ts";
import { systemClock } from "../../../src/host/system-clock.ts";
import { Desk } from "./desk.ts";
import { Sandbox } from "./sandbox.ts";

/** A window that dies when git brings a working tree forward, which leaves what `leave` does. */
class DiesInForward extends ProcessGitRunner {
  readonly #leave: () => void;
  #lives = true;

  constructor(environment: NodeJS.ProcessEnv, leave: () => void) {
    super(() => "git", environment);
    this.#leave = leave;
  }

  override run(...call: Parameters<ProcessGitRunner["run"]>): ReturnType<ProcessGitRunner["run"]> {
    if (!this.#lives || !call[1].includes("--ff-only")) return super.run(...call);
    this.#lives = false;
    this.#leave();
    throw new FencedError("test");
  }
}

/** One that has ended and that nobody waits for does not run. */
function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !existsSync("/proc") || !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

describe("git: stopping while files are brought forward", function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let desk: Desk;
  let main: string;
  let topic: string;
  let pids: string;
  const before = {
    ".gitattributes": "*.slow filter=slow\n",
    "a.txt": "1\n",
    "deleted.txt": "1\n",
    folder: "1\n",
    "own/deleted.txt": "1\n",
    "place/file": "1\n",
    "same.txt": "1\n",
    "t.slow": "1\n",
    "z.txt": "1\n",
  };

  beforeEach(() => {
    sandbox = new Sandbox();
    desk = new Desk(sandbox);
    main = sandbox.repository("clone", before);
    topic = sandbox.worktree(main, "topic");
    for (const name of ["folder", "place"]) rmSync(join(topic, name), { recursive: true });
    for (const file of [
      "a.txt",
      "folder/file",
      "new/deep/file",
      "own/deleted.txt",
      "place",
      "t.slow",
      "z.txt",
    ])
      sandbox.write(join(topic, file), "2\n");
    symlinkSync("a.txt", join(topic, "link"));
    sandbox.git(topic, "rm", "-q", "deleted.txt");
    sandbox.git(topic, "add", "-A");
    sandbox.git(topic, "commit", "-q", "-m", "next");
    pids = sandbox.path("pids");
  });
  afterEach(() => sandbox.dispose());

  /** Content of this version is never written: git takes the file away and waits for the filter. */
  const hangOn = (version: string): void => {
    const script = sandbox.path("smudge");
    sandbox.write(
      script,
      `#!/bin/sh\ncat > '${script}.$$'\nif grep -q '${version}' '${script}.$$'; then echo $$ >> '${pids}'; exec sleep 1000; fi\ncat '${script}.$$'\n`,
    );
    sandbox.makeExecutable(script);
    sandbox.git(main, "config", "filter.slow.smudge", script);
  };
  /** Aborts once the filter hangs, after `meanwhile`. */
  const abort = (reason: string, meanwhile = (): void => undefined): AbortSignal => {
    const controller = new AbortController();
    const timer = setInterval(() => {
      if (!sandbox.exists(pids)) return;
      clearInterval(timer);
      meanwhile();
      controller.abort(reason);
    }, 10);
    return controller.signal;
  };
  const queue = (): Promise<string> => desk.enqueue({ worktree: main, source: "topic", target: "main" });
  /** What is in the working tree, git's own part left out. */
  const isAsBefore = (except: Readonly<Record<string, string>> = {}): void => {
    for (const [name, content] of Object.entries({ ...before, ...except }))
      assert.equal(sandbox.exists(join(main, name)) ? sandbox.read(join(main, name)) : "gone", content, name);
    for (const name of ["new", "link"]) assert.ok(!sandbox.exists(join(main, name)), name);
    assert.equal(sandbox.git(main, "diff", "--cached", "--name-only"), "");
    assert.ok(!sandbox.exists(join(main, ".git", "index.lock")));
  };
  const filtersAreGone = (): void => {
    for (const pid of sandbox.read(pids).trim().split("\n")) assert.equal(runs(Number(pid)), false, pid);
  };

  it("a cancel ends git and its filter, and everything is as it was", async () => {
    hangOn("2");
    sandbox.git(main, "branch", "other", "main");
    const ids = [await queue(), await desk.enqueue({ worktree: main, source: "topic", target: "other" })];
    const tip = sandbox.tip(main, "main");
    assert.deepEqual(await desk.flush(abort("cancel")), { kind: "ended" });
    assert.equal(desk.result(ids[0]!).status, "cancelled");
    assert.equal(sandbox.tip(main, "main"), tip);
    isAsBefore();
    assert.equal(sandbox.status(main), "");
    filtersAreGone();
    // Nothing is in the way of merging it after all.
    sandbox.git(main, "config", "filter.slow.smudge", "cat");
    const again = await queue();
    await desk.flush();
    assert.deepEqual(desk.ends([again]), ["succeeded"]);
    assert.equal(sandbox.status(main), "");
  });

  it("a cancel just before git begins keeps it from beginning", async () => {
    hangOn("2");
    const id = await queue();
    const batch = desk.seal([...desk.operations.values()]);
    const controller = new AbortController();
    const context = desk.context(batch, controller.signal);
    const intent: typeof context.intent = (kind, plan) => {
      if (kind === "ff") controller.abort("cancel");
      return context.intent(kind, plan);
    };
    assert.deepEqual(await desk.executor.run(batch, { ...context, intent }), { kind: "ended" });
    assert.equal(desk.result(id).status, "cancelled");
    isAsBefore();
    assert.ok(!sandbox.exists(pids));
  });

  it("a merge that ends soon after the cancel is kept, with all of its files", async () => {
    sandbox.git(main, "config", "filter.slow.smudge", `echo $$ > '${pids}'; sleep 0.3; cat`);
    desk = new Desk(sandbox, {}, { clock: systemClock });
    const id = await queue();
    assert.deepEqual(await desk.flush(abort("cancel")), { kind: "ended" });
    assert.deepEqual(desk.ends([id]), ["succeeded"]);
    assert.equal(desk.result(id).commit, sandbox.tip(main, "main"));
    assert.equal(sandbox.read(join(main, "t.slow")), "2\n");
    assert.equal(sandbox.status(main), "");
  });

  it("what a person does meanwhile stays", async () => {
    hangOn("2");
    const id = await queue();
    await desk.flush(
      abort("cancel", () => {
        unlinkSync(join(main, "a.txt"));
        sandbox.write(join(main, "a.txt"), "mine\n");
        sandbox.write(join(main, "z.txt"), "mine\n");
        sandbox.write(join(main, "place"), "mine\n");
        sandbox.write(join(main, "new/mine"), "mine\n");
      }),
    );
    assert.equal(desk.result(id).status, "failed");
    assert.match(desk.result(id).error ?? "", /could not be put back: place\/file$/);
    assert.equal(sandbox.status(main), " M a.txt\n D place/file\n M z.txt\n?? new/\n?? place\n");
    for (const file of ["a.txt", "place", "z.txt", "new/mine"])
      assert.equal(sandbox.read(join(main, file)), "mine\n", file);
  });

  it("a filter that hangs for the old content as well: its file is named, the others are back", async () => {
    hangOn("[12]");
    const id = await queue();
    await desk.flush(abort("cancel"));
    assert.equal(desk.result(id).reason, "cancelled");
    assert.match(desk.result(id).error ?? "", /could not be put back: t\.slow$/);
    assert.deepEqual(desk.detail(id)["files"], ["t.slow"]);
    isAsBefore({ "t.slow": "gone" });
    filtersAreGone();
  });

  it("a window that goes leaves nothing half done, and the next one merges", async () => {
    hangOn("2");
    const id = await queue();
    const batch = desk.seal([...desk.operations.values()]);
    assert.deepEqual(await desk.execute(batch, abort("shutdown")), { kind: "stopped" });
    isAsBefore();
    sandbox.git(main, "config", "filter.slow.smudge", "cat");
    assert.deepEqual(await desk.execute(batch), { kind: "ended" });
    assert.deepEqual(desk.ends([id]), ["succeeded"]);
    assert.equal(sandbox.status(main), "");
  });

  it("a window that is no longer the one that leads ends its git and leaves the rest to who leads", async () => {
    hangOn("2");
    await queue();
    const batch = desk.seal([...desk.operations.values()]);
    assert.deepEqual(await desk.execute(batch, abort("fenced")), { kind: "stopped" });
    filtersAreGone();
    assert.equal(sandbox.read(join(main, "a.txt")), "2\n");
  });

  describe("after a crash, when the batch is to be cancelled", () => {
    const crash = async (leave: () => void): Promise<string> => {
      desk = new Desk(sandbox, {}, { git: new DiesInForward(sandbox.environment, leave) });
      const id = await queue();
      const batch = desk.seal([...desk.operations.values()]);
      await desk.execute(batch);
      assert.deepEqual(await desk.execute(batch, AbortSignal.abort("cancel")), { kind: "ended" });
      return id;
    };
    const anew = (file: string, content: string): void => {
      sandbox.remove(join(main, file));
      sandbox.write(join(main, file), content);
    };

    it("half of the files go again", async () => {
      const id = await crash(() => {
        for (const file of ["a.txt", "folder/file", "new/deep/file", "place"]) {
          rmSync(join(main, file.replace("folder/file", "folder")), { recursive: true, force: true });
          sandbox.write(join(main, file), "2\n");
        }
        // Git was killed while it wrote that one.
        anew("z.txt", "");
        rmSync(join(main, "deleted.txt"));
      });
      assert.equal(desk.result(id).error, undefined);
      assert.equal(desk.result(id).status, "cancelled");
      isAsBefore();
      assert.equal(sandbox.status(main), "");
    });

    it("what was there before stays, even if the merge brings the same", async () => {
      anew("a.txt", "2\n");
      anew("new/deep/file", "2\n");
      rmSync(join(main, "own/deleted.txt"));
      await new Promise((resolve) => setTimeout(resolve, 50));
      const id = await crash(() => undefined);
      assert.equal(desk.result(id).status, "cancelled");
      assert.equal(sandbox.status(main), " M a.txt\n D own/deleted.txt\n?? new/\n");
    });

    it("a merge that lacked only its branch is kept", async () => {
      const id = await crash(() => sandbox.git(main, "read-tree", "-m", "-u", "main", "topic"));
      assert.deepEqual(desk.ends([id]), ["succeeded"]);
      assert.equal(desk.result(id).commit, sandbox.tip(main, "main"));
      assert.equal(sandbox.status(main), "");
    });

    it("a merge is not kept because somebody has checked out what it would bring", async () => {
      const tip = sandbox.tip(main, "main");
      const id = await crash(() => sandbox.git(main, "checkout", "-q", "-b", "elsewhere", "topic"));
      assert.equal(desk.result(id).status, "cancelled");
      assert.equal(sandbox.tip(main, "main"), tip);
      assert.equal(sandbox.status(main), "");
    });

    it("a file in a folder that became read-only is named", async function () {
      // Root may write everywhere.
      if (process.getuid?.() === 0) this.skip();
      const id = await crash(() => {
        anew("own/deleted.txt", "2\n");
        chmodSync(join(main, "own"), 0o500);
      });
      chmodSync(join(main, "own"), 0o700);
      assert.match(desk.result(id).error ?? "", /could not be put back: own\/deleted\.txt$/);
    });

    it("a monitor of file changes that hangs keeps nothing from being taken back", async () => {
      const monitor = sandbox.path("monitor");
      sandbox.write(monitor, "#!/bin/sh\nexec sleep 1000\n");
      sandbox.makeExecutable(monitor);
      const id = await crash(() => {
        anew("a.txt", "2\n");
        sandbox.git(main, "config", "core.fsmonitor", monitor);
      });
      sandbox.git(main, "config", "core.fsmonitor", "false");
      assert.equal(desk.result(id).error, undefined);
      isAsBefore();
      assert.equal(sandbox.status(main), "");
    });

    it("a filter that hangs while a next window mends: a cancel ends it, and the files go again", async () => {
      const leave = (): void => ["a.txt", "t.slow"].forEach((file) => anew(file, "2\n"));
      desk = new Desk(sandbox, {}, { git: new DiesInForward(sandbox.environment, leave) });
      const id = await queue();
      const batch = desk.seal([...desk.operations.values()]);
      await desk.execute(batch);
      sandbox.git(
        main,
        "config",
        "filter.slow.clean",
        `if [ -e '${pids}' ]; then cat; else echo $$ > '${pids}'; exec sleep 1000; fi`,
      );
      assert.deepEqual(await desk.execute(batch, abort("cancel")), { kind: "ended" });
      assert.equal(desk.result(id).error, undefined);
      assert.equal(desk.result(id).status, "cancelled");
      isAsBefore();
      filtersAreGone();
    });

    it("what a sparse checkout leaves out is not checked out", async () => {
      sandbox.git(main, "sparse-checkout", "set", "--no-cone", "/*", "!/z.txt", "!/deleted.txt");
      const id = await crash(() => anew("a.txt", "2\n"));
      assert.equal(desk.result(id).status, "cancelled");
      assert.ok(!sandbox.exists(join(main, "z.txt")));
      assert.equal(sandbox.read(join(main, "a.txt")), "1\n");
      assert.equal(sandbox.status(main), "");
    });
  });
});
