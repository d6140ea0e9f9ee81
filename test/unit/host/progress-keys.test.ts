import assert from "node:assert/strict";
import { ContextKeys } from "../../../src/host/context-keys.ts";
import { setKeyState, setProgress } from "../../../src/host/progress-keys.ts";
import { batch, operation, snapshot } from "../../support/host/snapshots.ts";

function keys() {
  const told: Record<string, unknown> = {};
  return {
    told,
    contextKeys: new ContextKeys((key, value) => (told[key.replace("batchControl.", "")] = value)),
  };
}
const done = (...given: Parameters<typeof snapshot>) => {
  const { told, contextKeys } = keys();
  setProgress(contextKeys, snapshot(...given));
  return Object.keys(told).filter((key) => told[key]);
};

describe("What a person has done so far", () => {
  it("is nothing while nothing was queued, whatever was tried", () => {
    assert.deepEqual(done(), []);
  });

  it("is queueing or asking once something of that side is there", () => {
    assert.deepEqual(done({ git: { queued: [operation("a")] } }), ["did.queue"]);
    assert.deepEqual(done({ llm: { queued: [operation("a", { kind: "request" })] } }), ["did.ask"]);
  });

  it("is flushing once a batch was formed, and not where everything was cancelled before", () => {
    assert.deepEqual(done({ git: { pending: [batch("p", { status: "pending" })] } }), [
      "did.queue",
      "did.flush",
    ]);
    assert.deepEqual(done({ git: { executed: [batch("c", { status: "cancelled" })] } }), ["did.queue"]);
    const counters = new Map([["git.totalBatches", 1n] as const]);
    assert.deepEqual(done({ git: { executed: [batch("d")] }, counters }), ["did.queue", "did.flush"]);
  });
});

describe("That there is no key", () => {
  it("is known once no provider has one", async () => {
    for (const [has, noKey] of [[undefined, true] as const, ["openai", false] as const]) {
      const { told, contextKeys } = keys();
      const get = (provider: string) => Promise.resolve(provider === has ? "k" : undefined);
      await setKeyState(contextKeys, { get }, ["anthropic", "openai"]);
      assert.deepEqual(told, { noKey });
    }
  });
});
