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
