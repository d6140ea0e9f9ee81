import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { v7 as newId } from "uuid";
import { createEngine } from "../../../src/engine.ts";
import type { Engine } from "../../../src/engine.ts";
import { SqliteLaneLocks } from "../../../src/journal/lane-locks.ts";
import { openJournal } from "../../../src/journal/sqlite/open-journal.ts";
import type { Journal } from "../../../src/core/journal.ts";
import type { Clock, Logger } from "../../../src/core/ports.ts";
import { mortalJournal } from "./mortal-journal.ts";
import type { Command, Orders, Report, Wish } from "./orders.ts";

/** `child.js ORDERS.json LOG`: the product without a face; does what it is ordered to, then ends, unless it dies before. */
const [, , ordersFile = "", logFile = ""] = process.argv;
const parent = process.ppid;
const orders = JSON.parse(readFileSync(ordersFile, "utf8")) as Orders;

/** Waits are a quarter as long; nothing measures time with them. */
const clock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(ms, 60_000) / 4);
    return () => clearTimeout(timer);
  },
};
const note =
  (level: string) =>
  (message: string, error?: unknown): void =>
    appendFileSync(
      logFile,
      `${new Date().toISOString()} ${level} ${message}${error instanceof Error ? ` ${error.stack}` : ""}\n`,
    );
const log: Logger = {
  trace: note("trace"),
  debug: note("debug"),
  info: note("info"),
  warn: note("warn"),
  error: note("error"),
};

function tell(report: Report): void {
  writeSync(1, `${JSON.stringify(report)}\n`);
}

function die(noted: boolean): void {
  tell({ kind: "dying" });
  // What a process that nobody knows of leaves behind is nobody's to remove, so that is not asked for here.
  if (orders.takesChildren && noted) killChildren();
  process.kill(process.pid, "SIGKILL");
}

/** Each child leads a process group of its own. Only Linux shows them without a program of its own. */
function killChildren(): void {
  if (process.platform !== "linux") return;
  for (const thread of readdirSync("/proc/self/task")) {
    for (const pid of readFileSync(`/proc/self/task/${thread}/children`, "utf8").split(" ")) {
      if (pid === "") continue;
      try {
        process.kill(-Number(pid), "SIGKILL");
      } catch {
        // It has ended in between.
      }
    }
  }
}

async function main(): Promise<void> {
  mkdirSync(orders.temporary, { recursive: true });
  const opened = await openJournal(orders.storage, {
    clock,
    newId,
    ...(orders.patienceMs === undefined ? {} : { patienceMs: orders.patienceMs }),
  });
  if (opened.kind === "unavailable") throw new Error(opened.message);
  const journal = mortalJournal({
    journal: opened.journal,
    kill: orders.kill,
    die,
    reconciles: orders.reconciles,
  });
  const trigger = () => ({ autoFlush: false, maxBatchSize: 1000, maxBatchAge: 1000 });
  const engine = await createEngine({
    journal,
    locks: new SqliteLaneLocks({ storage: orders.storage, user: path.join(orders.storage, "user") }),
    clock,
    log,
    tempDir: orders.temporary,
    gitPath: () => "git",
    environment: { ...process.env, ...orders.environment },
    credentials: () => Promise.resolve({}),
    triggers: { git: trigger, llm: trigger },
    gitSettings: () => ({
      atomicPush: false,
      maxRefsPerPush: 0,
      protectedBranches: [],
      verifyCommand: "",
      verifyPrepare: "",
      verifyTimeout: 60,
      commitTimeout: 60,
      pushTimeout: 60,
    }),
    llmSettings: () => ({
      provider: "anthropic",
      anthropicBaseUrl: orders.url,
      openaiBaseUrl: `${orders.url}/v1`,
      pollInterval: 0.4,
      unknownOutcomeWait: orders.unknownOutcomeWait,
      maxCostPerFlush: 0,
      maxCostPerDay: 0,
      prices: {},
      packing: false,
    }),
    keepDays: () => 30,
    apiKey: () => Promise.resolve("key-of-a-test"),
  });
  engine.runner.claim(orders.lanes);
  await ask(engine, orders.wishes);
  if (orders.stays === true) await obey(engine);
  else await flush(engine);
  while (await isBusy(engine, journal)) {
    // Whoever began this life is gone, and the simulator with it: it would never come to rest.
    if (process.ppid !== parent) process.exit(1);
    await pause(20);
  }
  tell({ kind: "idle" });
  await engine.stop();
}

/** Does what it is told until it is told to end. */
async function obey(engine: Engine): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    const command = JSON.parse(line) as Command;
    switch (command.kind) {
      case "ask":
        await ask(engine, command.wishes);
        break;
      case "flush":
        await flush(engine);
        break;
      case "end":
        process.stdin.destroy();
        return;
    }
  }
}

async function flush({ git, llm }: Engine): Promise<void> {
  try {
    await git.flush();
    await llm.flush();
  } catch (error) {
    tell({ kind: "refused", key: "flush", error: String(error) });
  }
}

async function ask(engine: Engine, wishes: readonly Wish[]): Promise<void> {
  const chains = Map.groupBy(wishes, ({ chain }) => chain);
  await Promise.all(
    [...chains.values()].map(async (chain) => {
      for (const wish of chain) await askOne(engine, wish);
    }),
  );
}

async function askOne(engine: Engine, { key, files = {}, git, llm }: Wish): Promise<void> {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  try {
    if (git !== undefined) {
      const { id } = await engine.git.enqueue({ ...git, idempotencyKey: key });
      tell({ kind: "accepted", key, id });
    }
    if (llm !== undefined) {
      const { id } = await engine.llm.enqueue({ ...llm, idempotencyKey: key });
      tell({ kind: "accepted", key, id });
    }
  } catch (error) {
    tell({ kind: "refused", key, error: String(error) });
  }
}

/** Something is still to be done. A person mends what holds a side, and flushes what went back to its queue. */
async function isBusy({ state, git, llm }: Engine, journal: Journal): Promise<boolean> {
  await state.refresh();
  const now = state.current();
  for (const { kind } of now.holds) await journal.clearHolds(kind);
  if (now.git.queuedCount > 0) await git.flush();
  if (now.llm.queuedCount > 0) await llm.flush();
  return [now.git, now.llm].some(
    (side) => side.queuedCount + side.pending.length + side.executing.length > 0,
  );
}

await main();
