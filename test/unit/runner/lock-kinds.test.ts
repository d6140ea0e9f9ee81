import assert from "node:assert/strict";
import type {
  Executor,
  LaneLock,
  LaneLocks,
  LockCapabilities,
  LockPurpose,
} from "../../../src/core/executor.ts";
import { MemoryLaneLocks } from "../../../src/journal/memory-lane-locks.ts";
import { Runner } from "../../../src/runner/runner.ts";
import { openBatchers, request } from "../../support/core/batchers.ts";

const lane = "llm:anthropic";
const hanging = { pid: 42, start: "then" };
const LONG_MS = 10 * 60 * 1000;

/** A server's locks: a lease that was not renewed falls by the server's clock. */
class Leases implements LaneLocks {
  readonly capabilities: LockCapabilities = { kind: "lease", clock: "server", scope: "server" };
  readonly #held = new Map<string, LaneLock>();

  tryAcquire(of: string, purpose: LockPurpose = "lead"): Promise<LaneLock | undefined> {
    const name = `${purpose} ${of}`;
    if (this.#held.has(name)) return Promise.resolve(undefined);
    const lock = {
      lane: of,
      release: () => {
        if (this.#held.get(name) === lock) this.#held.delete(name);
        return Promise.resolve();
      },
    };
    this.#held.set(name, lock);
    return Promise.resolve(lock);
  }

  expire(): void {
    this.#held.clear();
  }
}

/** A window that may execute the lane, beside one that leads it and hangs, with a batch to execute. */
async function beside(locks: LaneLocks) {
  const opened = await openBatchers();
  const { journal, clock, log, llm, state } = opened;
  await locks.tryAcquire(lane);
  const fence = await journal.lead(lane, "hanging", hanging);
  await llm.enqueue(request("one"));
  const [batch] = await llm.flush();
  const executor: Executor = {
    run: async (_batch, context) => {
      for await (const page of context.operations())
        await context.outcome({ settled: page.map(({ id }) => ({ result: { id, status: "succeeded" } })) });
      return { kind: "ended" };
    },
  };
  const fail = (): Promise<never> => assert.fail("nothing fails here");
  const runner = new Runner(
    {
      journal,
      locks,
      executors: { git: executor, llm: executor },
      clock,
      log,
      holder: "waiting",
      process: hanging,
      fail,
    },
    state.current().sequence,
  );
  runner.claim([lane]);
  return { ...opened, runner, fence, batch: batch!.id };
}

describe("runner and the kinds of locks", () => {
  it("takes no lane by time from a leader whose lock falls only with its process", async () => {
    const { clock, journal, runner, fence, batch } = await beside(new MemoryLaneLocks());
    await clock.advance(LONG_MS);
    assert.equal(runner.leader(), false);
    const [owner] = await journal.owners();
    assert.deepEqual([owner?.holder, owner?.epoch], [fence.holder, fence.epoch]);
    assert.equal((await journal.batch(batch))?.status, "pending");
    assert.deepEqual(
      runner.stuckLeaders().map(({ process }) => process),
      [hanging],
      "a person may end it",
    );
  });

  it("goes on once a lease has fallen, fences who held it, and offers nobody's process to be ended", async () => {
    const leases = new Leases();
    const { clock, journal, runner, fence, batch } = await beside(leases);
    await clock.advance(LONG_MS);
    assert.deepEqual([runner.leader(), runner.stuckLeaders()], [false, []]);
    leases.expire();
    await clock.advance(1_000);
    assert.equal(runner.leader(), true);
    assert.equal((await journal.batch(batch))?.status, "completed");
    assert.deepEqual(await journal.claim(fence), { kind: "fenced" });
    assert.deepEqual(await journal.setHold({ kind: "llm", reason: "no-api-key", lane }, fence), {
      kind: "fenced",
    });
    assert.deepEqual((await journal.state()).holds, []);
  });
});
