import assert from "node:assert/strict";
import type { JournalState } from "../../../src/core/snapshot.ts";
import { LimitHolds } from "../../../src/host/limit-holds.ts";
import { batch, operation, snapshot } from "../../support/host/snapshots.ts";

const group = "llm:anthropic/judge/claude-haiku-4-5";
const held = { kind: "llm" as const, reason: "flush-cost-limit", lane: "llm:anthropic" };
const credit = { kind: "llm" as const, reason: "credit", lane: "llm:anthropic" };
const request = operation("a", { kind: "request", group });

describe("A hold of a limit on money", () => {
  let limits: string;
  let lifted: string[];
  let holds: LimitHolds;
  beforeEach(() => {
    limits = "1";
    lifted = [];
    const clearHolds = (side: string, reason = "", lane = ""): Promise<void> =>
      Promise.resolve(void lifted.push(`${side} ${reason} ${lane}`));
    const failed = (error: unknown): void => assert.ifError(error);
    holds = new LimitHolds({ journal: { clearHolds }, limits: () => limits, failed });
  });
  const state = (llm: Parameters<typeof snapshot>[0] = {}): JournalState =>
    snapshot({ holds: [held, credit], ...llm });

  it("stays as long as it stops something: queued, pending, or taken up and not sent", () => {
    holds.update(state({ llm: { queued: [request], queuedCount: 1 } }));
    holds.update(state({ llm: { queuedCount: 1 } }));
    holds.update(state({ llm: { pending: [batch("p", { status: "pending", group })] } }));
    holds.update(state({ llm: { executing: [batch("e", { status: "executing", group })] } }));
    assert.deepEqual(lifted, []);
  });

  it("is lifted once nothing is left that it stops; other holds are not", () => {
    const elsewhere = operation("b", { kind: "request", group: "llm:openai/judge/gpt-5-mini" });
    const sent = batch("e", { status: "executing", group, remoteId: "msgbatch_1" });
    holds.update(state({ llm: { queued: [elsewhere], queuedCount: 1, executing: [sent] } }));
    assert.deepEqual(lifted, ["llm flush-cost-limit llm:anthropic"]);
  });

  it("is lifted when the limits change, once", () => {
    const waiting = state({ llm: { queued: [request], queuedCount: 1 } });
    limits = "0";
    holds.update(waiting);
    holds.update(waiting);
    assert.deepEqual(lifted, ["llm flush-cost-limit llm:anthropic"]);
  });
});
