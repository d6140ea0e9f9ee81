import assert from "node:assert/strict";
import { keyCommands } from "../../../src/host/commands/keys.ts";
import { waitingAt } from "../../../src/host/queued.ts";
import type { ApiKeys } from "../../../src/host/secrets.ts";

import { batch, snapshot } from "../../support/host/snapshots.ts";

const anthropic = { provider: "anthropic", key: "sk-ant-test" } as const;
const person = { kind: "none" } as const;

function desk(waiting: readonly [queued: number, pending: number] = [0, 0]) {
  const kept: string[] = [];
  const told: unknown[] = [];
  const asked: string[] = [];
  const [queued] = waiting;
  let [, pending] = waiting;
  const keys: Pick<ApiKeys, "set" | "forget"> = {
    set: (provider, key) => {
      kept.push(`${provider} ${key}`);
      // With a key, what was held for want of one goes out.
      pending = 0;
      return Promise.resolve();
    },
    forget: () => Promise.resolve(undefined),
  };
  const table = keyCommands({
    keys,
    questions: {
      provider: () => Promise.resolve("anthropic"),
      key: () => Promise.resolve(anthropic),
      stillInEnvironment: () => undefined,
      kept: (found) => void told.push(found),
    },
    waiting: (provider) => {
      asked.push(provider);
      return Promise.resolve({ queued, pending });
    },
    changed: () => Promise.resolve(),
  });
  return { table, kept, told, asked };
}

describe("Setting an API key", () => {
  it("tells a person that it is kept, and what waits for it", async () => {
    const { table, kept, told, asked } = desk([3, 2]);
    await table.setApiKey.fromPerson(person);
    assert.deepEqual(kept, ["anthropic sk-ant-test"]);
    assert.deepEqual(asked, ["anthropic"]);
    assert.deepEqual(told, [{ queued: 3, pending: 2 }]);
  });

  it("tells code nothing, which has its answer", async () => {
    const { table, kept, told } = desk([3, 0]);
    await table.setApiKey.fromCode(anthropic);
    assert.deepEqual(kept, ["anthropic sk-ant-test"]);
    assert.deepEqual(told, []);
  });

  it("keeps nothing, and says nothing, where it is no key", async () => {
    const { table, kept, told } = desk();
    await assert.rejects(table.setApiKey.fromCode({ ...anthropic, key: "two words" }), /^InputError: key: /);
    assert.deepEqual([kept, told], [[], []]);
  });
});

describe("What waits for a key", () => {
  it("is what is queued or in batches that are not sent, for its provider", async () => {
    const queue = (lane: string, count: number) => ({
      group: `${lane}/judge/m`,
      lane,
      count,
      laneExecuting: false,
    });
    const pending = (id: string, group: string) => batch(id, { status: "pending", group, operationCount: 2 });
    const parts = {
      journal: {
        queues: () =>
          Promise.resolve([queue("llm:anthropic", 3), queue("llm:anthropic", 1), queue("llm:openai", 5)]),
      },
      state: {
        current: () =>
          snapshot({
            llm: { pending: [pending("a", "llm:anthropic/judge/m"), pending("b", "llm:openai/judge/m")] },
          }),
      },
    };
    assert.deepEqual(await waitingAt("anthropic", parts), { queued: 4, pending: 2 });
    assert.deepEqual(await waitingAt("openai", parts), { queued: 5, pending: 2 });
  });
});
