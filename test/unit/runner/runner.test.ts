import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { JournalError } from "../../../src/core/errors.ts";
import type { Executor, ExecutionContext, TurnEnd } from "../../../src/core/executor.ts";
import type { Batch } from "../../../src/core/batch.ts";
import type { Clock, Logger } from "../../../src/core/ports.ts";
import type { NewOperation } from "../../../src/core/operation.ts";
import { MemoryJournal } from "../../../src/journal/memory-journal.ts";
import { MemoryLaneLocks } from "../../../src/journal/memory-lane-locks.ts";
import { Runner } from "../../../src/runner/runner.ts";

const lane = "git:/shop/.git";
const silent = (): void => undefined;
const log: Logger = { trace: silent, debug: silent, info: silent, warn: silent, error: silent };
/** Waits are over at once. */
const clock: Clock = {
  now: () => Date.now(),
  after: (_ms, callback) => {
    const timer = setTimeout(callback, 1);
    return () => clearTimeout(timer);
  },
};

let journal: MemoryJournal;
let locks: MemoryLaneLocks;
const runners: Runner[] = [];

type Turn = (batch: Batch, context: ExecutionContext) => Promise<TurnEnd>;

function start(run: Turn, holder = "window"): Runner {
  const executor: Executor = { run };
  const runner = new Runner(
    {
      ...{ journal, locks, clock, log, holder, process: { pid: 1, start: "1" } },
      executors: { git: executor, llm: executor },
      fail: async (_side, batch, error, reason, fence) => {
        const settled = (await journal.operations({ batch, limit: 100 })).map(({ id }) => ({
          result: { id, status: "failed" as const, error, reason },
        }));
        await journal.recordOutcome(fence, batch, { settled });
      },
    },
    0,
  );
  runners.push(runner);
  runner.claim([lane]);
  return runner;
}

/** Seals a batch of one; answers its operation's id. */
async function seal(): Promise<string> {
  const operation: NewOperation = {
    ...{ id: randomUUID(), kind: "push", group: lane, lane, label: "push", source: "person", enqueuedAt: 1 },
    ...{ payload: "{}", fingerprint: randomUUID() },
  };
  await journal.enqueue([operation]);
  await journal.seal([{ group: lane }]);
  return operation.id;
}

const succeed: Turn = async (batch, context) => {
  const operations = await journal.operations({ batch: batch.id, limit: 100 });
  await context.outcome({ settled: operations.map(({ id }) => ({ result: { id, status: "succeeded" } })) });
  return { kind: "ended" };
};

async function resultOf(id: string): Promise<string> {
  for (;;) {
    const result = await journal.result(id);
    if (result) return result.reason ?? result.status;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

describe("the runner", () => {
  beforeEach(() => {
    journal = new MemoryJournal({ clock, newId: randomUUID });
    locks = new MemoryLaneLocks();
  });
  afterEach(async () => {
    for (const runner of runners.splice(0)) await runner.stop();
    await journal.close();
  });

  it("gives up a batch that errs again and again, and goes on with the one behind it", async () => {
    const [bad, good] = [await seal(), await seal()];
    const { batch } = (await journal.operation(bad)) ?? {};
    let turns = 0;
    start(async (one, context) => {
      if (one.id !== batch) return succeed(one, context);
      turns += 1;
      throw new Error("broken");
    });
    assert.equal(await resultOf(good), "succeeded");
    assert.equal(await resultOf(bad), "unexpected-error");
    assert.equal(turns, 3);
  });

  it("never gives up a batch because the journal could not be written", async () => {
    const id = await seal();
    let turns = 0;
    start(async (batch, context) => {
      turns += 1;
      if (turns <= 10) throw new JournalError("locked", "The journal is kept locked by another program.");
      return succeed(batch, context);
    });
    assert.equal(await resultOf(id), "succeeded");
    assert.equal(turns, 11);
  });

  it("puts what is held back into the queue and runs nothing until the hold is lifted", async () => {
    const id = await seal();
    start((batch, context) =>
      batch.startedAt === undefined || !lifted
        ? Promise.resolve({ kind: "held", hold: { kind: "git", reason: "no-trust" } })
        : succeed(batch, context),
    );
    let lifted = false;
    while ((await journal.operation(id))?.status !== "queued") await new Promise(setImmediate);
    assert.deepEqual((await journal.state()).holds, [{ kind: "git", reason: "no-trust" }]);
    await journal.seal([{ group: lane }]);
    lifted = true;
    await journal.clearHolds("git");
    assert.equal(await resultOf(id), "succeeded");
  });

  it("leaves a batch to the window that leads next", async () => {
    const id = await seal();
    const stopped = new Promise<Runner>((resolve) => {
      const first = start(async (_batch, { signal }) => {
        resolve(first);
        await new Promise((aborted) => signal.addEventListener("abort", aborted));
        return { kind: "stopped" };
      }, "first");
    });
    const first = await stopped;
    const second = start(succeed, "second");
    assert.deepEqual(second.lanes(), [{ lane, held: false }]);
    await first.stop();
    assert.equal(await resultOf(id), "succeeded");
    assert.equal((await journal.owners())[0]?.holder, "second");
  });
});
