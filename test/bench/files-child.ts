import { createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { v7 as newId } from "uuid";
import { StateStore } from "../../src/core/state-store.ts";
import type { StoredOperation } from "../../src/core/operation.ts";
import { exportResults } from "../../src/host/files/export.ts";
import { importRequests } from "../../src/host/files/import.ts";
import { requestTools } from "../../src/host/request-tools.ts";
import { systemClock as clock } from "../../src/host/system-clock.ts";
import { openJournal } from "../../src/journal/sqlite/open-journal.ts";
import { createLlmRoom, LlmBatcher } from "../../src/llm/index.ts";
import { silent, watchProcess } from "./watch-process.ts";

/** `files-child.ts FOLDER MEGABYTES`: a file of requests is imported, each is answered, and the results are exported. */
const [, , folder = "", megabytes = ""] = process.argv;
const LINE_BYTES = 20_000;
const PAGE = 100;

const opened = await openJournal(folder, { clock, newId });
if (opened.kind === "unavailable") throw new Error(opened.message);
const { journal } = opened;
const state = await StateStore.open(journal, clock, silent);
const settings = () =>
  ({
    provider: "anthropic",
    anthropicBaseUrl: "",
    openaiBaseUrl: "",
    pollInterval: 60,
    unknownOutcomeWait: 900,
    maxCostPerFlush: 0,
    maxCostPerDay: 0,
    prices: {},
    packing: false,
  }) as const;
const room = createLlmRoom({
  settings,
  clock,
  log: silent,
  newId,
  tempDir: folder,
  apiKey: () => Promise.resolve(undefined),
  remember: (...fact) => journal.remember(...fact),
  recall: (key) => journal.recall(key),
  batchStatus: () => Promise.resolve(undefined),
});
const llm = new LlmBatcher({
  journal,
  state,
  acceptor: room.acceptor,
  clock,
  log: silent,
  newId,
  settings: () => ({ autoFlush: false, maxBatchSize: 10, maxBatchAge: 1 }),
  sealLimits: (group) => room.sealLimits(group),
});
const requests = requestTools(room, settings, clock);
const source = path.join(folder, "requests.jsonl");
const target = path.join(folder, "results.jsonl");
const lines = Math.ceil((Number(megabytes) * 1_000_000) / LINE_BYTES);
await pipeline(requestLines(lines), createWriteStream(source));

const imported = await watchProcess(() =>
  importRequests(source, { journal, llm, requests }, { skipBad: () => Promise.resolve(false) }, {}),
);
const answered = await watchProcess(answerAll);
const exported = await watchProcess(() => exportResults({ file: target }, { journal, requests }));
const { size } = await stat(target);
console.log(
  JSON.stringify({
    lines,
    imported: { count: imported.value.ids.length, ...imported.watched },
    answered: { count: answered.value, ...answered.watched },
    exported: { count: exported.value.count, megabytes: Math.round(size / 1e6), ...exported.watched },
  }),
);
llm.dispose();
state.dispose();
await journal.close();

async function* requestLines(count: number): AsyncGenerator<string> {
  const text = "Review what this does. ".repeat(LINE_BYTES / 23 - 10);
  for (let n = 0; n < count; n += 1) {
    const messages = [{ role: "user", content: `${n}: ${text}` }];
    const params = { model: "claude-haiku-4-5", max_tokens: 1000, messages };
    yield `${JSON.stringify({ custom_id: `line-${n}`, params })}\n`;
    await Promise.resolve();
  }
}

/** As an executor does, without a provider. */
async function answerAll(): Promise<number> {
  await llm.flush();
  const fence = await journal.lead("llm:anthropic", newId(), { pid: process.pid, start: "" });
  let answers = 0;
  for (;;) {
    const claimed = await journal.claim(fence);
    if (claimed.kind === "fenced" || claimed.value === undefined) return answers;
    for (let after = -1; ;) {
      const page: readonly StoredOperation[] = await journal.payloads(claimed.value.id, after, PAGE);
      const last = page.at(-1);
      if (last === undefined) break;
      const settled = page.map(({ id, payload }) => {
        const message = { role: "assistant", content: [{ type: "text", text: payload }] };
        return { result: { id, status: "succeeded" as const, text: payload, message, costUsd: 0.01 } };
      });
      await journal.recordOutcome(fence, claimed.value.id, { settled });
      answers += settled.length;
      after = last.position;
    }
  }
}
