import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv, exit, resourceUsage, threadCpuUsage } from "node:process";
import Anthropic from "@anthropic-ai/sdk";
import { v7 as newId } from "uuid";
import type { Batch } from "../../src/core/batch.ts";
import type { Effect } from "../../src/core/effect.ts";
import type { ExecutionContext } from "../../src/core/executor.ts";
import type { StoredOperation } from "../../src/core/operation.ts";
import { createLlmRoom } from "../../src/llm/index.ts";

/** One way to send so many requests and to take their answers in; measures itself and prints it as JSON. */
const [, , way = "product", url = "", count = "100000", bytes = "256000000"] = argv;
const REQUESTS = Number(count);
/** What is left for the prompt of a request beside the JSON around it. */
const PROMPT = "x".repeat(Math.floor(Number(bytes) / REQUESTS) - 190);
const PAGE = 500;
const RESOLUTION = 2;
const model = "claude-haiku-5-5";
const quiet = (): void => undefined;
const silent = { trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet };

let stallMs = 0;
/**
 * The longest that this thread computed between two turns of its loop. By its processor time, not by the clock, so that other
 * work of the machine is not taken for a stall.
 */
function watchLoop(): () => void {
  let before = threadMs();
  const timer = setInterval(() => {
    const now = threadMs();
    stallMs = Math.max(stallMs, now - before);
    before = now;
  }, RESOLUTION);
  return () => clearInterval(timer);
}
function threadMs(): number {
  const { user, system } = threadCpuUsage();
  return (user + system) / 1000;
}

const answered = await (way === "product" ? product() : array());
console.log(
  JSON.stringify({
    answered,
    peakMb: Math.round(resourceUsage().maxRSS / 1024),
    stallMs: Math.round(stallMs),
  }),
);
exit(0);

/** Through acceptor and executor, with a journal that makes operations as they are read and keeps only what is settled. */
async function product(): Promise<number> {
  const tempDir = await mkdtemp(join(tmpdir(), "batch-control-bench-"));
  const clock = {
    now: () => Date.now(),
    after: (ms: number, callback: () => void) => cancellable(setTimeout(callback, ms)),
  };
  const settings = () => ({
    provider: "anthropic" as const,
    anthropicBaseUrl: url,
    openaiBaseUrl: "",
    pollInterval: 1,
    unknownOutcomeWait: 900,
    maxCostPerFlush: 0,
    maxCostPerDay: 0,
    prices: {},
    packing: false,
  });
  const memory = new Map<string, string | undefined>();
  const { acceptor, executor } = createLlmRoom({
    settings,
    clock,
    newId,
    tempDir,
    log: silent,
    apiKey: () => Promise.resolve("key"),
    remember: (key, value) => Promise.resolve(Boolean(memory.set(key, value))),
    recall: (key) => Promise.resolve(memory.get(key)),
    batchStatus: () => Promise.resolve(undefined),
  });
  const ids = Array.from({ length: REQUESTS }, () => newId());
  const settled = new Set<string>();
  const draft = await acceptor.accept({ type: "bench", model, prompt: `MARK ${PROMPT}`, maxTokens: 16 });
  const { kind, group, lane, label } = draft;
  const [before = "", after = ""] = JSON.stringify(draft.payload).split("MARK");
  const operation = (id: string, position: number): StoredOperation => {
    const payload = before + String(position) + after;
    const status = settled.has(id) ? "succeeded" : "executing";
    return {
      id,
      kind,
      group,
      lane,
      label,
      payload,
      position,
      status,
      source: "cli",
      enqueuedAt: 0,
      bytes: payload.length,
    };
  };
  const effects: Effect[] = [];
  const batch: Batch = {
    id: newId(),
    side: "llm",
    group,
    lane,
    status: "executing",
    createdAt: 0,
    operationCount: REQUESTS,
    bytes: Number(bytes),
    counts: {},
    cancelRequested: false,
  };
  const context: ExecutionContext = {
    fence: { lane: batch.lane, holder: "bench", epoch: 1 },
    signal: new AbortController().signal,
    log: silent,
    intent(kind, plan) {
      effects.push({
        batch: batch.id,
        n: effects.length,
        kind,
        state: "intent",
        epoch: 1,
        plan: JSON.stringify(plan),
        at: Date.now(),
      });
      return Promise.resolve(effects.length - 1);
    },
    started: () => Promise.resolve(),
    outcome(outcome) {
      const { effect } = outcome;
      const before = effect === undefined ? undefined : effects[effect.n];
      if (effect !== undefined && before !== undefined) {
        effects[effect.n] = { ...before, state: effect.state, result: JSON.stringify(effect.result) };
      }
      for (const { result } of outcome.settled ?? [])
        if (result.status === "succeeded") settled.add(result.id);
      return Promise.resolve(batch);
    },
    effects: () => Promise.resolve(effects),
    hold: ({ reason }) => Promise.reject(new Error(`Held: ${reason}`)),
    lift: () => Promise.resolve(),
    requeue: () => Promise.reject(new Error("A part went back to the queue")),
    async *operations() {
      for (let at = 0; at < REQUESTS; at += PAGE) {
        yield ids.slice(at, at + PAGE).map((id, n) => operation(id, at + n));
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
  const unwatch = watchLoop();
  const end = await executor.run(batch, context);
  if (end.kind !== "following") throw new Error(JSON.stringify(end));
  await executor.follow(batch, context);
  unwatch();
  await rm(tempDir, { recursive: true, force: true });
  return settled.size;
}

/** As the SDK's documentation shows it: all requests in an array, all results through its iterator. */
async function array(): Promise<number> {
  const client = new Anthropic({ apiKey: "key", authToken: null, baseURL: url, maxRetries: 0 });
  const requests = Array.from({ length: REQUESTS }, (_, n) => ({
    custom_id: newId(),
    params: { model, max_tokens: 16, messages: [{ role: "user" as const, content: `${n} ${PROMPT}` }] },
  }));
  const unwatch = watchLoop();
  const { id } = await client.messages.batches.create({ requests });
  while ((await client.messages.batches.retrieve(id)).processing_status !== "ended") {
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  const results = new Map<string, unknown>();
  for await (const { custom_id: customId, result } of await client.messages.batches.results(id))
    results.set(customId, result);
  unwatch();
  return results.size;
}

function cancellable(timer: NodeJS.Timeout): () => void {
  return () => clearTimeout(timer);
}
