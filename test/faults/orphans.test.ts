import assert from "node:assert/strict";
import { problemsOf } from "../support/faults/verdict.ts";
import type { WorldOptions } from "../support/faults/world.ts";
import { World } from "../support/faults/world.ts";

/** Long enough that the next process is at work before the hook of the dead one's git has ended. */
const SECONDS = 2;

describe("a git process that lives on when its window is killed", function () {
  this.timeout(120_000);

  const cases: readonly { readonly what: string; readonly options: WorldOptions }[] = [
    { what: "a commit in its hook", options: { preCommit: SECONDS } },
    { what: "a push that the remote still looks at", options: { preReceive: SECONDS } },
    { what: "a push that the remote has taken", options: { postReceive: SECONDS } },
  ];
  for (const { what, options } of cases) {
    for (const when of ["before", "after"] as const) {
      it(`is reckoned with: ${what}, killed ${when} it was written down`, async () => {
        const world = await World.create(options);
        const [worktree] = world.sample.worktrees;
        assert.ok(worktree);
        const { path, branch } = worktree;
        world.wish({
          key: "one",
          chain: branch,
          git: { worktree: path, message: "one", files: [...worktree.files] },
        });
        world.wish({ key: "push", chain: branch, git: { kind: "push", worktree: path, branch } });
        const { end, open } = await world.live({ kind: "step", step: "recordStart", when, nth: 1 });
        assert.equal(end, "killed");
        assert.equal(open.length, 1);
        assert.equal((await world.live()).end, "idle");
        await world.collectGarbage();
        assert.deepEqual(await problemsOf(world), []);
        await world.close();
      });
    }
  }
});
