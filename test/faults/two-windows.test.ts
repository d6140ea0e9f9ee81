import assert from "node:assert/strict";
import { leaderOf, openEffects } from "../support/faults/ledger.ts";
import type { Life } from "../support/faults/life.ts";
import { until } from "../support/faults/until.ts";
import { problemsOf } from "../support/faults/verdict.ts";
import { World } from "../support/faults/world.ts";

describe("two processes on one repository", function () {
  this.timeout(90_000);
  let world: World;
  let windows: readonly Life[];

  /** Each asks for a commit and a push of its own worktree. */
  async function open(preReceive: number): Promise<void> {
    world = await World.create({ preReceive });
    windows = await Promise.all([0, 1].map(() => world.begin({ stays: true })));
    for (const [index, life] of windows.entries()) {
      const { path: worktree, branch, files } = world.sample.worktrees[index]!;
      const commit = { key: `commit-${index}`, chain: branch };
      const push = { key: `push-${index}`, chain: branch };
      const wishes = [
        { ...commit, git: { worktree, message: commit.key, files: [...files] } },
        { ...push, git: { kind: "push", worktree, branch } },
      ] as const;
      world.wish(...wishes);
      life.tell({ kind: "ask", wishes });
    }
    await until(() => windows.every(({ accepted }) => accepted.size === 2));
  }

  async function comeToRest(lives: readonly Life[]): Promise<void> {
    for (const life of lives) life.tell({ kind: "end" });
    for (const life of lives) assert.equal(await life.end, "idle");
    for (const life of windows) world.take(life);
    assert.deepEqual(await problemsOf(world), []);
  }

  afterEach(async () => {
    for (const life of windows) life.kill();
    await world.close();
  });

  it("queue into one queue, and one push leaves", async () => {
    await open(0);
    windows[0]?.tell({ kind: "flush" });
    await comeToRest(windows);
    assert.deepEqual(
      (await world.pushes()).map((refs) => refs.length),
      [2],
    );
  });

  it("the other finishes what one was killed at in mid-push, and nothing leaves twice", async () => {
    await open(2);
    windows[0]?.tell({ kind: "flush" });
    await until(() =>
      openEffects(world.storage).some(({ kind, state }) => kind === "push" && state === "started"),
    );
    const pid = leaderOf(world.storage, "git:");
    const leader = windows.find((life) => life.pid === pid);
    assert.ok(leader);
    leader.kill();
    assert.equal(await leader.end, "killed");
    await comeToRest(windows.filter((life) => life !== leader));
    assert.deepEqual(
      (await world.pushes()).map((refs) => refs.length),
      [2],
    );
  });
});
