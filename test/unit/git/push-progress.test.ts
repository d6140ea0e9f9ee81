import assert from "node:assert/strict";
import { join } from "node:path";
import type { Progress } from "../../../src/core/snapshot.ts";
import { lastMeter, PushProgress, withoutProgress } from "../../../src/git/push-progress.ts";
import { Desk } from "./desk.ts";
import { Sandbox } from "./sandbox.ts";

/** What git 2.39 prints to a pipe with `--progress`. */
const printed = [
  "Enumerating objects: 20, done.\n",
  "Counting objects:   5% (1/20)\rCounting objects: 100% (20/20)\rCounting objects: 100% (20/20), done.\n",
  "Delta compression using up to 2 threads\n",
  "Writing objects:  10% (2/20)\rWriting objects:  45% (9/20), 1.20 MiB | 400.00 KiB/s\r",
  "Writing objects: 100% (20/20), 2.40 MiB | 400.00 KiB/s, done.\n",
  "Total 20 (delta 1), reused 0 (delta 0), pack-reused 0\n",
  "remote: Resolving deltas:   0% (0/1)        \rremote: Resolving deltas: 100% (1/1), done.        \n",
  "remote: no pushes on Fridays        \n",
  "error: failed to push some refs to 'origin'\n",
];

describe("git: progress of a push", function () {
  this.timeout(60_000);

  it("is read from git's meters, the newest of each piece of output", () => {
    assert.deepEqual(printed.map(lastMeter), [
      undefined,
      { step: "counting", percent: 100 },
      undefined,
      { step: "writing", percent: 45 },
      { step: "writing", percent: 100 },
      undefined,
      { step: "resolving", percent: 100 },
      undefined,
      undefined,
    ]);
  });

  it("is no part of what is kept for errors", () => {
    assert.equal(
      withoutProgress(printed.join("")),
      "remote: no pushes on Fridays        \nerror: failed to push some refs to 'origin'\n",
    );
    assert.equal(withoutProgress("remote: first\r\nremote: second\r\n"), "remote: first\nremote: second\n");
  });

  it("is passed on only when a while has gone by, the newest state alone, and nothing after the end", async () => {
    const reports: unknown[] = [];
    let due: (() => void) | undefined;
    const clock = {
      now: () => 0,
      after: (_ms: number, callback: () => void) => {
        due = callback;
        return () => (due = undefined);
      },
    };
    const pass = async (): Promise<void> => {
      due?.();
      await new Promise(setImmediate);
    };
    const progress = new PushProgress(clock, (newest) => {
      reports.push(newest);
      return Promise.resolve();
    });
    for (const text of printed.slice(0, 4)) progress.add(Buffer.from(text));
    assert.deepEqual(reports, []);
    await pass();
    assert.deepEqual(reports, [{ step: "writing", percent: 45 }]);
    progress.add(Buffer.from(printed[4]!));
    assert.equal(await progress.end(), true);
    await pass();
    assert.equal(reports.length, 1);
  });

  it("is shown while a real push goes on, and gone after it", async () => {
    const sandbox = new Sandbox();
    try {
      const desk = new Desk(sandbox);
      const main = sandbox.repository("clone");
      const remote = sandbox.remote(main);
      // The remote waits until the progress was seen; then it refuses.
      const seen = join(sandbox.root, "seen");
      sandbox.hook(
        remote.path,
        "pre-receive",
        `while [ ! -e '${seen}' ]; do sleep 0.05; done; echo closed; exit 1`,
      );
      sandbox.git(main, "commit", "-q", "--allow-empty", "-m", "more");
      const id = await desk.enqueue({ worktree: main, branch: "main" });
      const batch = desk.seal([...desk.operations.values()]);
      const context = desk.context(batch, new AbortController().signal);
      const details: unknown[] = [];
      await desk.executor.run(batch, {
        ...context,
        outcome: (outcome) => {
          if (outcome.detail !== undefined) {
            details.push(outcome.detail);
            sandbox.write(seen, "");
          }
          return context.outcome(outcome);
        },
      });
      const { target, step } = (details[0] as { progress: Progress }).progress;
      assert.equal(target, "origin");
      assert.match(step, /^(counting|compressing|writing)$/);
      assert.deepEqual(details.at(-1), {});
      assert.equal(desk.result(id).error, "the remote refused main (pre-receive hook declined): closed");
    } finally {
      sandbox.dispose();
    }
  });
});
