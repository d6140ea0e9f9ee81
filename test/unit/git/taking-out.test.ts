import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, rmdirSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FencedError } from "../../../src/core/errors.ts";
import { ProcessGitRunner } from "../../../src/git/index.ts";
import { Desk } from "./desk.ts";
import { Sandbox } from "./sandbox.ts";

type Call = Parameters<ProcessGitRunner["run"]>;

/** Dies when it is to bring a working tree forward, which leaves what `leave` does, and then tells of each call before and after it. */
class Dies extends ProcessGitRunner {
  readonly #leave: () => void;
  readonly #around: (args: readonly string[], when: "before" | "after") => void;
  #lives = true;

  constructor(
    environment: NodeJS.ProcessEnv,
    leave: () => void,
    around: (args: readonly string[], when: "before" | "after") => void,
  ) {
    super(() => "git", environment);
    this.#leave = leave;
    this.#around = around;
  }

  override async run(...call: Call): ReturnType<ProcessGitRunner["run"]> {
    if (this.#lives && call[1].includes("--ff-only")) {
      this.#lives = false;
      this.#leave();
      throw new FencedError("test");
    }
    if (this.#lives) return super.run(...call);
    this.#around(call[1], "before");
    const end = await super.run(...call);
    this.#around(call[1], "after");
    return end;
  }
}

describe("git: taking a merge out of a working tree again", function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let main: string;
  let topic: string;
  let desk: Desk;
  let id: string;

  beforeEach(() => {
    sandbox = new Sandbox();
    main = sandbox.repository("clone", { "a.txt": "1\n", place: "1\n", "z.txt": "1\n" });
    topic = sandbox.worktree(main, "topic");
  });
  afterEach(() => sandbox.dispose());

  const anew = (file: string, content = "2\n"): void => {
    sandbox.remove(join(main, file));
    sandbox.write(join(main, file), content);
  };
  const topicHas = (...files: readonly string[]): void => {
    for (const file of files) sandbox.write(join(topic, file), "2\n");
    sandbox.git(topic, "add", "-A");
    sandbox.git(topic, "commit", "-q", "-m", "next");
  };
  const gitlink = (worktree: string, name: string): void => {
    sandbox.git(
      worktree,
      "update-index",
      "--add",
      "--cacheinfo",
      `160000,${sandbox.tip(worktree, "HEAD")},${name}`,
    );
    sandbox.git(worktree, "commit", "-q", "-m", "submodule");
  };
  /** The window dies in the middle and the next one takes the batch back. */
  const crash = async (
    leave: () => void,
    around: (args: readonly string[], when: "before" | "after") => void = () => undefined,
    reason = "cancel",
  ): Promise<() => Promise<unknown>> => {
    desk = new Desk(sandbox, {}, { git: new Dies(sandbox.environment, leave, around) });
    id = await desk.enqueue({ worktree: main, source: "topic", target: "main" });
    const batch = desk.seal([...desk.operations.values()]);
    await desk.execute(batch);
    await desk.execute(batch, AbortSignal.abort(reason));
    return () => desk.execute(batch);
  };
  const isAsBefore = (): void => {
    assert.equal(desk.result(id).error, undefined);
    assert.equal(desk.result(id).status, "cancelled");
    assert.equal(sandbox.status(main), "");
  };

  it("a cancel that comes before git starts is not missed", async () => {
    sandbox.write(join(topic, ".gitattributes"), "a.txt filter=slow\n");
    topicHas("a.txt");
    const pid = sandbox.path("pid");
    sandbox.git(main, "config", "filter.slow.smudge", `echo $$ > '${pid}'; exec sleep 20`);
    const controller = new AbortController();
    const git = new ProcessGitRunner(() => "git", sandbox.environment);
    const run = git.run.bind(git);
    git.run = (...call) => {
      if (call[1].includes("batch-control: forward")) controller.abort("cancel");
      return run(...call);
    };
    desk = new Desk(sandbox, {}, { git });
    id = await desk.enqueue({ worktree: main, source: "topic", target: "main" });
    assert.deepEqual(await desk.flush(controller.signal), { kind: "ended" });
    assert.ok(!sandbox.exists(pid));
    isAsBefore();
  });

  it("names that are not UTF-8", async function () {
    if (process.platform !== "linux") this.skip();
    const named = (worktree: string, name: string): Buffer =>
      Buffer.concat([Buffer.from(`${worktree}/${name}`), Buffer.from([0xe9])]);
    writeFileSync(named(main, "old"), "1\n");
    sandbox.git(main, "add", "-A");
    sandbox.git(main, "commit", "-q", "-m", "second");
    sandbox.git(topic, "reset", "-q", "--hard", "main");
    for (const name of ["old", "new"]) writeFileSync(named(topic, name), "2\n");
    topicHas("a.txt");
    await crash(() => {
      unlinkSync(named(main, "old"));
      for (const name of ["old", "new"]) writeFileSync(named(main, name), "2\n");
    });
    isAsBefore();
  });

  it("a file that was to become a submodule", async () => {
    unlinkSync(join(topic, "place"));
    sandbox.git(topic, "rm", "-q", "--cached", "place");
    gitlink(topic, "place");
    await crash(() => {
      unlinkSync(join(main, "place"));
      mkdirSync(join(main, "place"));
    });
    isAsBefore();
    assert.equal(sandbox.read(join(main, "place")), "1\n");
  });

  it("a submodule that was to become a file", async () => {
    gitlink(main, "sub");
    mkdirSync(join(main, "sub"));
    sandbox.git(topic, "reset", "-q", "--hard", "main");
    rmdirSync(join(topic, "sub"));
    topicHas("sub");
    await crash(() => {
      rmdirSync(join(main, "sub"));
      anew("sub");
    });
    isAsBefore();
  });

  it("folders that nothing had come into yet, where a file was", async () => {
    unlinkSync(join(topic, "place"));
    topicHas("place/deep/file", "new/deep/file");
    await crash(() => {
      unlinkSync(join(main, "place"));
      for (const folder of ["place/deep", "new/deep"]) mkdirSync(join(main, folder), { recursive: true });
    });
    isAsBefore();
    assert.ok(!sandbox.exists(join(main, "new")));
  });

  it("links that are files here", async () => {
    const oid = sandbox.git(topic, "hash-object", "-w", "a.txt").trim();
    for (const name of ["place", "new"])
      sandbox.git(topic, "update-index", "--add", "--cacheinfo", `120000,${oid},${name}`);
    sandbox.git(topic, "commit", "-q", "-m", "links");
    sandbox.git(main, "config", "core.symlinks", "false");
    await crash(() => ["place", "new"].forEach((name) => anew(name, "1\n")));
    isAsBefore();
    assert.ok(!sandbox.exists(join(main, "new")));
  });

  it("somebody takes a file away while it is read", async () => {
    topicHas("a.txt", "b.txt", "z.txt");
    await crash(
      () => ["a.txt", "b.txt", "z.txt"].forEach((file) => anew(file)),
      (args, when) => {
        if (args.includes("hash-object") && when === "before") sandbox.remove(join(main, "b.txt"));
      },
    );
    isAsBefore();
  });

  it("what somebody writes into a file after it was read stays", async () => {
    topicHas("a.txt", "z.txt");
    let told = false;
    await crash(
      () => ["a.txt", "z.txt"].forEach((file) => anew(file)),
      (args, when) => {
        if (told || !args.includes("hash-object") || when !== "after") return;
        told = true;
        sandbox.write(join(main, "a.txt"), "mine\n");
      },
    );
    assert.equal(sandbox.read(join(main, "a.txt")), "mine\n");
    assert.equal(sandbox.status(main), " M a.txt\n");
  });

  describe("while somebody keeps the index locked", () => {
    const lock = (): string => join(main, ".git", "index.lock");
    const lockedCrash = async (leave: () => void, reason: string): Promise<() => Promise<unknown>> => {
      topicHas("a.txt");
      let holder: ReturnType<typeof spawn> | undefined;
      const again = await crash(
        () => {
          leave();
          const file = openSync(lock(), "wx");
          holder = spawn("sleep", ["60"], { stdio: [file, "ignore", "ignore"] });
          closeSync(file);
        },
        undefined,
        reason,
      );
      holder?.kill();
      sandbox.remove(lock());
      return again;
    };

    it("a cancelled merge says that files may be left", async function () {
      if (process.platform !== "linux") this.skip();
      await lockedCrash(() => anew("a.txt"), "cancel");
      assert.equal(desk.result(id).reason, "cancelled");
      assert.match(desk.result(id).error ?? "", /may be left half way: .*index\.lock is held by process/);
    });

    it("one that had not begun says nothing", async function () {
      if (process.platform !== "linux") this.skip();
      await lockedCrash(() => undefined, "cancel");
      isAsBefore();
    });

    it("a window that goes leaves it to the next one", async function () {
      if (process.platform !== "linux") this.skip();
      const again = await lockedCrash(() => anew("a.txt"), "shutdown");
      assert.deepEqual(await again(), { kind: "ended" });
      assert.deepEqual(desk.ends([id]), ["succeeded"]);
      assert.equal(sandbox.status(main), "");
    });
  });
});
