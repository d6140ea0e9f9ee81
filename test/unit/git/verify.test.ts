import assert from "node:assert/strict";
import { join } from "node:path";
import { Desk } from "./desk.ts";
import { Sandbox } from "./sandbox.ts";

describe("git: verify before landing", function () {
  this.timeout(120_000);
  let sandbox: Sandbox;
  let main: string;
  beforeEach(() => {
    sandbox = new Sandbox();
    main = sandbox.repository("clone", { "sum.txt": "0\n", ".gitignore": "installed\n" });
    sandbox.git(main, "branch", "target");
  });
  afterEach(() => sandbox.dispose());

  const branches = (count: number): string[] =>
    Array.from({ length: count }, (_, index) => {
      const name = `op${index + 1}`;
      const place = sandbox.path("make");
      sandbox.git(main, "worktree", "add", "-q", "-b", name, place, "target");
      sandbox.write(join(place, `${name}.txt`), "x\n");
      sandbox.git(place, "add", "-A");
      sandbox.git(place, "commit", "-q", "-m", name);
      sandbox.git(main, "worktree", "remove", place);
      return name;
    });
  const queue = async (desk: Desk, names: readonly string[]): Promise<string[]> => {
    const ids: string[] = [];
    for (const source of names) ids.push(await desk.enqueue({ worktree: main, source, target: "target" }));
    return ids;
  };
  const runs = (): number => sandbox.read(sandbox.path("runs")).trim().split("\n").length;

  it("finds the one that breaks it and the one that breaks it only with another, and lands the rest", async () => {
    const command = `echo run >> '${sandbox.path("runs")}'; test -z "$GIT_DIR" || exit 9; if [ -e op5.txt ]; then echo op5 is broken; exit 1; fi; if [ -e op7.txt ] && [ -e op2.txt ]; then echo both; exit 1; fi`;
    const desk = new Desk(sandbox, {
      verifyCommand: command,
      verifyPrepare: `echo prepared >> '${sandbox.path("prepared")}'; touch installed`,
    });
    const ids = await queue(desk, branches(8));
    await desk.flush();
    assert.deepEqual(desk.ends(ids), [
      "succeeded",
      "succeeded",
      "succeeded",
      "succeeded",
      "verify-failed",
      "succeeded",
      "verify-failed",
      "succeeded",
    ]);
    assert.match(desk.result(ids[4]!).error ?? "", /verification fails with op5: op5 is broken/);
    assert.equal(desk.detail(ids[6]!)["verifyOutput"], "both");
    // Nine runs, and two reruns before each blame.
    assert.ok(runs() <= 13, `${runs()} runs`);
    assert.equal(sandbox.read(sandbox.path("prepared")), "prepared\n");
    const files = sandbox.git(main, "ls-tree", "--name-only", "target").trim().split("\n");
    assert.deepEqual(files, [
      ".gitignore",
      ...["op1", "op2", "op3", "op4", "op6", "op8"].map((name) => `${name}.txt`),
      "sum.txt",
    ]);
  });

  it("blames nobody for a red target and moves nothing", async () => {
    const desk = new Desk(sandbox, { verifyCommand: "echo always red; exit 1" });
    const ids = await queue(desk, branches(3));
    const tip = sandbox.tip(main, "target");
    await desk.flush();
    assert.deepEqual(desk.ends(ids), ["red-target", "red-target", "red-target"]);
    assert.equal(sandbox.tip(main, "target"), tip);
  });

  it("keeps one worktree, sets it right after a crash and stops a command that takes too long", async () => {
    const desk = new Desk(sandbox, { verifyCommand: "true" });
    const [one, two] = branches(2);
    await queue(desk, [one!]);
    await desk.flush();
    const kept = join(main, ".git/batch-control/verify");
    sandbox.write(join(kept, "sum.txt"), "left over\n");
    sandbox.write(join(kept, "junk.txt"), "left over\n");
    desk.settings = {
      ...desk.settings,
      verifyCommand: 'test -z "$(git status --porcelain)" && sleep 1000 & wait',
      verifyTimeout: 1,
    };
    const ids = await queue(desk, [two!]);
    await desk.flush();
    assert.deepEqual(desk.ends(ids), ["red-target"]);
    assert.match(String(desk.detail(ids[0]!)["verifyOutput"]), /stopped after 1 s/);
    assert.equal(sandbox.status(kept), "");
  });
});
