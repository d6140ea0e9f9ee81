import assert from "node:assert/strict";
import { v7 } from "uuid";
import type { Batch } from "../../../src/core/batch.ts";
import { JournalError } from "../../../src/core/errors.ts";
import type { ExecutionContext, Executor, TurnEnd } from "../../../src/core/executor.ts";
import { MemoryLaneLocks } from "../../../src/journal/memory-lane-locks.ts";
import { betweenBatches } from "../../../src/runner/between-batches.ts";
import { Runner } from "../../../src/runner/runner.ts";
import { openBatchers, request } from "../../support/core/batchers.ts";

/** Does what a test tells it for each batch, in order; succeeds once nothing is told. */
class ScriptedExecutor implements Executor {
  readonly ran: string[] = [];
  readonly followed: string[] = [];
  readonly script: ((batch: Batch, context: ExecutionContext) => Promise<TurnEnd>)[] = [];
  following: ((batch: Batch, context: ExecutionContext) => Promise<TurnEnd>) | undefined;

  async run(batch: Batch, context: ExecutionContext): Promise<TurnEnd> {
    this.ran.push(batch.id);
    return (this.script.shift() ?? succeed)(batch, context);
  }

  async follow(batch: Batch, context: ExecutionContext): Promise<TurnEnd> {
    this.followed.push(batch.id);
    return (this.following ?? succeed)(batch, context);
  }
}

async function succeed(_batch: Batch, context: ExecutionContext): Promise<TurnEnd> {
  for await (const page of context.operations()) {
    await context.outcome({ settled: page.map(({ id }) => ({ result: { id, status: "succeeded" } })) });
  }
  return { kind: "ended" };
}

const untilStopped = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });

const lane = "llm:anthropic";

async function openRunner(world?: Awaited<ReturnType<typeof openBatchers>>, locks = new MemoryLaneLocks()) {
  const opened = world ?? (await openBatchers());
  const executor = new ScriptedExecutor();
  const { journal, clock, log, llm } = opened;
  const runner = new Runner(
    {
      journal,
      locks,
      executors: { git: executor, llm: executor },
      clock,
      log,
      holder: v7(),
      process: { pid: 1, start: "test" },
      fail: (_side, batch, error, reason, fence) => llm.markBatchFailed(batch, error, reason, fence),
    },
    opened.state.current().sequence,
  );
  runner.claim([lane]);
  await clock.advance(0);
  const flush = async (prompt: string): Promise<{ id: string; batch: string }> => {
    const { id } = await llm.enqueue(request(prompt));
    const [batch] = await llm.flush();
    return { id, batch: batch!.id };
  };
  return { ...opened, executor, runner, locks, flush };
}

describe("runner", () => {
  it("executes pending batches one after the other, oldest first", async () => {
    const { executor, flush, clock, llm } = await openRunner();
    const first = await flush("one");
    const second = await flush("two");
    await clock.advance(1_000);
    assert.deepEqual(executor.ran, [first.batch, second.batch]);
    assert.deepEqual(new Set(llm.getExecutedBatches().map(({ status }) => status)), new Set(["completed"]));
  });

  it("claims nothing in lanes that it may not claim", async () => {
    const { executor, flush, clock, runner } = await openRunner();
    runner.claim([]);
    await clock.advance(0);
    await flush("one");
    await clock.advance(60_000);
    assert.deepEqual(executor.ran, []);
    assert.equal(runner.leader(), false);
    runner.claim([lane]);
    await clock.advance(1_000);
    assert.equal(executor.ran.length, 1);
    assert.equal(runner.leader(), true);
  });

  it("lets only one of two windows lead, and hands over when it stops", async () => {
    const first = await openRunner();
    const second = await openRunner(first, first.locks);
    assert.deepEqual([first.runner.leader(), second.runner.leader()], [true, false]);
    await first.runner.stop();
    await first.clock.advance(1_000);
    assert.equal(second.runner.leader(), true);
    await second.flush("one");
    await first.clock.advance(1_000);
    assert.equal(second.executor.ran.length, 1);
    assert.equal(first.executor.ran.length, 0);
  });

  it("goes on with what an earlier leader left executing", async () => {
    const first = await openRunner();
    first.executor.script.push(async (_batch, { signal }) => {
      await untilStopped(signal);
      assert.equal(signal.reason, "shutdown");
      return { kind: "stopped" };
    });
    const { batch, id } = await first.flush("one");
    await first.clock.advance(1_000);
    const second = await openRunner(first, first.locks);
    await first.runner.stop();
    await first.clock.advance(1_000);
    assert.deepEqual(second.executor.ran, [batch]);
    assert.equal((await first.state.settled(id)).status, "succeeded");
  });

  it("puts held operations back into the queue untouched, and goes on once the hold is lifted", async () => {
    const { executor, flush, clock, journal, llm, state } = await openRunner();
    executor.script.push(() =>
      Promise.resolve({ kind: "held", hold: { kind: "llm", reason: "no-api-key" } }),
    );
    const { id } = await flush("one");
    await clock.advance(30_000);
    assert.deepEqual(state.current().holds, [{ kind: "llm", reason: "no-api-key", lane }]);
    assert.deepEqual(
      llm.getQueuedOps().map((operation) => operation.id),
      [id],
    );
    assert.equal(executor.ran.length, 1, "nothing is tried while the hold stands");
    await journal.clearHolds("llm");
    await llm.flush();
    await clock.advance(1_000);
    assert.equal((await state.settled(id)).status, "succeeded");
  });

  it("lifts a hold when its time has come, and not before", async () => {
    const { executor, flush, clock, state, journal } = await openRunner();
    const until = new Date(clock.now() + 60_000).toISOString();
    await journal.setHold({ kind: "llm", reason: "spend-limit", until, lane });
    await journal.setHold({ kind: "llm", reason: "spend-limit", lane: "llm:openai" });
    const { id } = await flush("one");
    await clock.advance(50_000);
    assert.deepEqual(executor.ran, []);
    await clock.advance(20_000);
    assert.equal((await state.settled(id)).status, "succeeded");
    assert.deepEqual(
      (await journal.state()).holds.map((hold) => hold.lane),
      ["llm:openai"],
    );
  });

  it("tries again after transient trouble, and not before its time", async () => {
    const { executor, flush, clock, state, llm } = await openRunner();
    executor.script.push(() => Promise.resolve({ kind: "again", afterMs: 5_000, because: "overloaded" }));
    const { id, batch } = await flush("one");
    await clock.advance(4_900);
    assert.equal(executor.ran.length, 1);
    assert.equal(llm.getBatchById(batch)?.error, "overloaded", "people can see what it waits for");
    await clock.advance(200);
    assert.equal(executor.ran.length, 2);
    assert.equal((await state.settled(id)).status, "succeeded");
    assert.equal(llm.getBatchById(batch)?.error, undefined, "and that it no longer waits");
  });

  it("fails a batch that keeps crashing its executor, and goes on with the next", async () => {
    const { executor, flush, clock, state } = await openRunner();
    const crash = (): Promise<TurnEnd> => Promise.reject(new Error("a bug"));
    executor.script.push(crash, crash, crash);
    const bad = await flush("bad");
    const good = await flush("good");
    await clock.advance(60_000);
    const result = await state.settled(bad.id);
    assert.deepEqual([result.status, result.reason, result.error], ["failed", "unexpected-error", "a bug"]);
    assert.equal((await state.settled(good.id)).status, "succeeded");
  });

  it("never gives up a batch because the journal could not be written", async () => {
    const { executor, flush, clock, state } = await openRunner();
    const locked = new JournalError("locked", "The journal is kept locked by another program.");
    for (let turn = 0; turn < 5; turn += 1) executor.script.push(() => Promise.reject(locked));
    const { id } = await flush("patient");
    await clock.advance(300_000);
    assert.equal((await state.settled(id)).status, "succeeded");
    assert.equal(executor.ran.length, 6);
  });

  it("follows batches beside the lane and resumes following after a restart", async () => {
    const first = await openRunner();
    first.executor.script.push(
      () => Promise.resolve({ kind: "following" }),
      () => Promise.resolve({ kind: "following" }),
    );
    first.executor.following = async (_batch, { signal }) => {
      await untilStopped(signal);
      return { kind: "stopped" };
    };
    const one = await first.flush("one");
    const two = await first.flush("two");
    await first.clock.advance(1_000);
    assert.deepEqual(first.executor.followed, [one.batch, two.batch], "side by side");
    const second = await openRunner(first, first.locks);
    second.executor.script.push(
      () => Promise.resolve({ kind: "following" }),
      () => Promise.resolve({ kind: "following" }),
    );
    await first.runner.stop();
    await first.clock.advance(1_000);
    assert.deepEqual(second.executor.followed, [one.batch, two.batch]);
    assert.equal((await first.state.settled(two.id)).status, "succeeded");
  });

  it("follows a batch in one of two windows only, and in the other once the first is gone", async () => {
    const first = await openRunner();
    const second = await openRunner(first, first.locks);
    const follow = async (_batch: Batch, { signal }: ExecutionContext): Promise<TurnEnd> => {
      await untilStopped(signal);
      return { kind: "stopped" };
    };
    for (const { executor } of [first, second]) {
      executor.script.push(() => Promise.resolve({ kind: "following" }));
      executor.following = follow;
    }
    const { batch } = await first.flush("one");
    await first.clock.advance(600_000);
    assert.deepEqual([first.executor.followed, second.executor.followed], [[batch], []]);
    await first.runner.stop();
    await first.clock.advance(10_000);
    assert.deepEqual([first.executor.followed, second.executor.followed], [[batch], [batch]]);
  });

  it("queues again what following finds held, and runs again what it finds undone", async () => {
    const { executor, flush, clock, journal, llm, state } = await openRunner();
    executor.script.push(() => Promise.resolve({ kind: "following" }));
    executor.following = () => Promise.resolve({ kind: "again", afterMs: 2_000, because: "a limit" });
    const one = await flush("one");
    await clock.advance(1_000);
    assert.equal(executor.ran.length, 1);
    await clock.advance(10_000);
    assert.equal(executor.ran.length, 2);
    assert.equal((await state.settled(one.id)).status, "succeeded");

    executor.script.push(() => Promise.resolve({ kind: "following" }));
    executor.following = () => Promise.resolve({ kind: "held", hold: { kind: "llm", reason: "credit" } });
    await flush("two");
    await clock.advance(1_000);
    assert.deepEqual((await journal.state()).holds, [{ kind: "llm", reason: "credit", lane }]);
    assert.equal(llm.queueSize(), 1);
  });

  it("tells the executor to stop when a batch is cancelled, and goes on", async () => {
    const { executor, flush, clock, llm, state } = await openRunner();
    executor.script.push(async (_batch, context) => {
      await untilStopped(context.signal);
      assert.equal(context.signal.reason, "cancel");
      for await (const page of context.operations()) {
        await context.outcome({ settled: page.map(({ id }) => ({ result: { id, status: "cancelled" } })) });
      }
      return { kind: "ended" };
    });
    const { id, batch } = await flush("one");
    await clock.advance(1_000);
    await llm.cancelBatch(batch);
    await clock.advance(1_000);
    assert.equal((await state.settled(id)).status, "cancelled");
    assert.equal(llm.getBatchById(batch)?.status, "cancelled");
    const next = await flush("two");
    await clock.advance(1_000);
    assert.equal((await state.settled(next.id)).status, "succeeded");
  });

  it("stops at once when another holder has taken the lane", async () => {
    const { executor, flush, clock, journal, runner } = await openRunner();
    let reason: unknown;
    executor.script.push(async (_batch, { signal }) => {
      await untilStopped(signal);
      reason = signal.reason;
      return { kind: "stopped" };
    });
    await flush("one");
    await clock.advance(100);
    await journal.lead(lane, "a thief", { pid: 2, start: "test" });
    await clock.advance(1_500);
    assert.equal(reason, "fenced");
    assert.equal(executor.ran.length >= 1, true);
    await runner.stop();
  });

  it("works on no batch while any window does something in between, and goes on after it", async () => {
    const { executor, flush, clock, journal, locks } = await openRunner();
    const order: string[] = [];
    let finish: () => void = () => undefined;
    executor.script.push((batch, context) => {
      order.push("batch");
      return succeed(batch, context);
    });
    const between = betweenBatches({ journal, locks, clock }, lane, async () => {
      order.push("begins");
      await new Promise<void>((resolve) => (finish = resolve));
      order.push("ends");
      return "undone";
    });
    await clock.advance(1_000);
    await flush("one");
    await clock.advance(10_000);
    assert.deepEqual(order, ["begins"]);
    finish();
    assert.deepEqual(await between, { kind: "done", value: "undone" });
    await clock.advance(1_000);
    assert.deepEqual(order, ["begins", "ends", "batch"]);
  });

  it("lets nothing be done in between while a batch executes or was left unfinished", async () => {
    const { executor, flush, clock, journal, locks, runner } = await openRunner();
    const task = (): Promise<never> => assert.fail("done beside a batch");
    executor.script.push(async (_batch, { signal }) => {
      await untilStopped(signal);
      return { kind: "stopped" };
    });
    await flush("one");
    await clock.advance(1_000);
    const ask = (): Promise<unknown> => betweenBatches({ journal, locks, clock }, lane, task);
    assert.deepEqual(await ask(), { kind: "executing" });
    await runner.stop();
    assert.deepEqual(await ask(), { kind: "executing" });
  });

  it("offers a leader without a heartbeat for takeover after a minute of waiting, and only with work to do", async () => {
    const { journal, locks, flush, clock, runner, llm } = await openRunner();
    runner.claim([]);
    await clock.advance(1_000);
    const lock = await locks.tryAcquire(lane);
    await journal.lead(lane, "hanging", { pid: 42, start: "then" });
    runner.claim([lane]);
    await clock.advance(300_000);
    assert.deepEqual(runner.stuckLeaders(), []);
    await flush("one");
    await clock.advance(50_000);
    assert.deepEqual(runner.stuckLeaders(), []);
    await clock.advance(20_000);
    assert.deepEqual(
      runner.stuckLeaders().map(({ holder, process }) => [holder, process.pid]),
      [["hanging", 42]],
    );
    await lock?.release();
    await clock.advance(10_000);
    assert.deepEqual(runner.stuckLeaders(), []);
    assert.equal(llm.getExecutedBatches().length, 1);
  });
});
