import assert from "node:assert/strict";
import { chmodSync, statSync } from "node:fs";
import { join } from "node:path";
import { FencedError } from "../../../src/core/errors.ts";
import { ProcessGitRunner } from "../../../src/git/index.ts";
import { Desk, hastyClock } from "./desk.ts";
import { Sandbox } from "./sandbox.ts";

/** A window that dies when git brings a working tree forward, which leaves what `leave` does; `meanwhile` is called whenever a file was looked at. */
class DiesInForward extends ProcessGitRunner {
  readonly #leave: () => void;
  readonly #meanwhile: () => void;
  #lives = true;

  constructor(environment: NodeJS.ProcessEnv, leave: () => void, meanwhile: () => void) {
    super(() => "git", environment);
    this.#leave = leave;
    this.#meanwhile = meanwhile;
  }

  override async run(...call: Parameters<ProcessGitRunner["run"]>): ReturnType<ProcessGitRunner["run"]> {
    if (this.#lives && call[1].includes("--ff-only")) {
      this.#lives = false;
      this.#leave();
      throw new FencedError("test");
    }
    const end = await super.run(...call);
    if (call[1].includes("--filters")) this.#meanwhile();
    return end;
  }
}

describe("git: files that a cut-off fast-forward left", function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let main: string;
  let topic: string;
  beforeEach(() => {
    sandbox = new Sandbox();
    main = sandbox.repository("clone", { "a.txt": "1\n2\n3\n", "b.txt": "1\n", "run.sh": "1\n" });
    topic = sandbox.worktree(main, "topic");
  });
  afterEach(() => sandbox.dispose());

  /** Merges what `topic` has into `main`, in a window that dies at it and in one that goes on; answers how it ended. */
  const merge = async (leave: () => void, meanwhile = (): void => undefined): Promise<string | undefined> => {
    sandbox.git(topic, "commit", "-q", "-am", "topic");
    const git = new DiesInForward(sandbox.environment, leave, meanwhile);
    const desk = new Desk(sandbox, {}, { git });
    const id = await desk.enqueue({ worktree: main, source: "topic", target: "main" });
    const batch = desk.seal([...desk.operations.values()]);
    const at = hastyClock.now();
    await desk.execute(batch);
    const effects = desk.effects.get(batch.id) ?? [];
    for (const [n, effect] of effects.entries()) effects[n] = { ...effect, at };
    await desk.execute(batch);
    return desk.ends([id])[0];
  };
  const anew = (name: string, content: string): void => {
    sandbox.remove(join(main, name));
    sandbox.write(join(main, name), content);
  };

  it("leave a file alone whose end somebody had taken away before", async () => {
    sandbox.write(join(topic, "a.txt"), "1\n2\n3\n4\n");
    sandbox.write(join(main, "a.txt"), "1\n2\n");
    assert.equal(await merge(() => undefined), "worktree-dirty");
    assert.equal(sandbox.read(join(main, "a.txt")), "1\n2\n");
  });

  it("are written to their end where git had begun them", async () => {
    sandbox.write(join(topic, "a.txt"), "1\n2\n3\n4\n");
    assert.equal(await merge(() => anew("a.txt", "1\n2\n")), "succeeded");
    assert.equal(sandbox.status(main), "");
    assert.equal(sandbox.read(join(main, "a.txt")), "1\n2\n3\n4\n");
  });

  it("do not come back as their end alone if somebody takes them away meanwhile", async () => {
    for (const name of ["a.txt", "b.txt"]) sandbox.write(join(topic, name), "2\n3\n");
    let looks = 0;
    const leave = (): void => ["a.txt", "b.txt"].forEach((name) => anew(name, "2\n"));
    const take = (): void => {
      looks += 1;
      if (looks === 2) sandbox.remove(join(main, "a.txt"));
    };
    assert.equal(await merge(leave, take), "succeeded");
    assert.equal(looks, 2);
    assert.equal(sandbox.status(main), "");
    assert.equal(sandbox.read(join(main, "a.txt")), "2\n3\n");
  });

  it("become executable where only that was still to come", async () => {
    chmodSync(join(topic, "run.sh"), 0o755);
    sandbox.write(join(topic, "b.txt"), "2\n");
    assert.equal(await merge(() => anew("b.txt", "2\n")), "succeeded");
    assert.equal(sandbox.status(main), "");
    assert.notEqual(statSync(join(main, "run.sh")).mode & 0o100, 0);
  });
});
