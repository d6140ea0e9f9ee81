import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { v7 as newId } from "uuid";
import type { EnqueueOptions } from "../../../src/core/batcher.ts";
import type { Journal } from "../../../src/core/journal.ts";
import type { StoredOperation } from "../../../src/core/operation.ts";
import type { Clock } from "../../../src/core/ports.ts";
import type { Result } from "../../../src/core/result.ts";
import type { GitInput } from "../../../src/core/schema/inputs.ts";
import type { GitStats } from "../../../src/core/stats.ts";
import { createEngine } from "../../../src/engine.ts";
import type { Engine } from "../../../src/engine.ts";
import type { GitPreviewData, GitSettings } from "../../../src/git/index.ts";
import { planFlush } from "../../../src/host/flush-plan.ts";
import { previewOf } from "../../../src/host/preview-of.ts";
import { MemoryJournal } from "../../../src/journal/memory-journal.ts";
import { MemoryLaneLocks } from "../../../src/journal/memory-lane-locks.ts";
import { defaults } from "../../unit/git/desk.ts";
import type { Sandbox } from "../../unit/git/sandbox.ts";
import { MemoryLog } from "../core/memory-log.ts";
import { checkPlan } from "./plan-check.ts";
import type { Surprises } from "./plan-check.ts";
import { GitTrace } from "./trace.ts";
import { until } from "../faults/until.ts";

/** Waits take a fiftieth of their time. */
const swiftClock: Clock = {
  now: () => Date.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, Math.ceil(ms / 50));
    return () => clearTimeout(timer);
  },
};

/** Waits take their time. */
export const steadyClock: Clock = {
  now: () => Date.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

export interface ProductOptions {
  readonly settings?: Partial<GitSettings>;
  /** Joins the environment that the product is started with. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly credentials?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  readonly binary?: string;
  /** In memory where left out. */
  readonly journal?: Journal;
  /** Nothing is traced, which takes time. */
  readonly untraced?: boolean;
}

/** The product without its face, what a window does with the git side, from enqueue to result. */
export class Product {
  settings: GitSettings;
  readonly log: MemoryLog;
  readonly trace: GitTrace;
  readonly journal: Journal;
  readonly engine: Engine;
  readonly #sandbox: Sandbox;
  readonly #lanes = new Set<string>();
  readonly #operations = new Map<string, StoredOperation>();
  readonly #results = new Map<string, Result>();

  static async open(sandbox: Sandbox, options: ProductOptions = {}): Promise<Product> {
    const log = new MemoryLog();
    const { clock = swiftClock, binary = "git", environment = {}, credentials = {} } = options;
    const trace = new GitTrace(sandbox.path(`trace-${newId()}`));
    const { journal = new MemoryJournal({ clock, newId }), untraced = false } = options;
    const holder: { product?: Product } = {};
    const triggers = () => ({ autoFlush: false, maxBatchSize: 1000, maxBatchAge: 1000 });
    const tempDir = sandbox.path("temporary");
    mkdirSync(tempDir, { recursive: true });
    const engine = await createEngine({
      ...{ journal, clock, log, tempDir, locks: new MemoryLaneLocks() },
      gitPath: () => binary,
      environment: {
        ...{ ...sandbox.environment, ...environment },
        ...(untraced ? {} : { GIT_TRACE2_EVENT: trace.file }),
      },
      credentials: () => Promise.resolve(credentials),
      triggers: { git: triggers, llm: triggers },
      gitSettings: () => holder.product?.settings ?? defaults,
      llmSettings: () => ({
        ...{
          provider: "anthropic",
          anthropicBaseUrl: "http://127.0.0.1:1",
          openaiBaseUrl: "http://127.0.0.1:1",
        },
        ...{
          pollInterval: 60,
          unknownOutcomeWait: 60,
          maxCostPerFlush: 0,
          maxCostPerDay: 0,
          prices: {},
          packing: false,
        },
      }),
      keepDays: () => 30,
      apiKey: () => Promise.resolve(undefined),
    });
    const product = new Product(
      sandbox,
      { ...defaults, ...options.settings },
      { log, trace, journal, engine },
    );
    holder.product = product;
    return product;
  }

  private constructor(
    sandbox: Sandbox,
    settings: GitSettings,
    parts: Pick<Product, "log" | "trace" | "journal" | "engine">,
  ) {
    this.#sandbox = sandbox;
    this.settings = settings;
    this.log = parts.log;
    this.trace = parts.trace;
    this.journal = parts.journal;
    this.engine = parts.engine;
  }

  /** Answers the operation's id once it is in the journal. */
  async enqueue(input: GitInput, options: EnqueueOptions = {}): Promise<string> {
    const { id, result } = await this.engine.git.enqueue(input, options);
    void result.then((settled) => this.#results.set(id, settled));
    return id;
  }

  async enqueueAll(...inputs: readonly GitInput[]): Promise<string[]> {
    const ids: string[] = [];
    for (const input of inputs) ids.push(await this.enqueue(input));
    return ids;
  }

  /** What a flush would do now, as the command tells it. */
  async preview(): Promise<readonly GitPreviewData[]> {
    const { git } = await planFlush(
      { journal: this.journal, preview: previewOf(this.engine), state: this.engine.state },
      ["git"],
    );
    return git;
  }

  /** Flushes and waits, then holds what happened against what `previewFlush` said right before; only `surprises` may differ. `meanwhile`: what happens to the window as it runs. */
  async flush(
    surprises: Surprises = {},
    meanwhile: () => Promise<void> = () => Promise.resolve(),
  ): Promise<readonly GitPreviewData[]> {
    const queued = await this.#queued();
    const before = this.#standing(queued);
    const plans = await this.preview();
    assert.deepEqual(this.#standing(queued), before, "a look at the plan changes nothing");
    const check = checkPlan(this.#sandbox, plans, queued, this.trace);
    await this.#start(queued);
    await meanwhile();
    await this.#idle();
    const operations = await Promise.all(queued.map(({ id }) => this.journal.operation(id)));
    for (const operation of operations) if (operation) this.#operations.set(operation.id, operation);
    await until(() => queued.every(({ id }) => this.#results.has(id)));
    await until(() => !this.#isPinned(queued));
    check({ result: (id) => this.result(id), detail: (id) => this.detail(id), surprises });
    return plans;
  }

  /** `succeeded`, or why not. */
  ends(ids: readonly string[]): readonly string[] {
    return ids.map((id) => {
      const { status, reason } = this.result(id);
      return status === "succeeded" ? status : (reason ?? "?");
    });
  }

  result(id: string): Result {
    const result = this.#results.get(id);
    if (!result) throw new Error(`${id} has no result`);
    return result;
  }

  detail(id: string): Readonly<Record<string, unknown>> {
    return (this.#operations.get(id)?.detail ?? {}) as Readonly<Record<string, unknown>>;
  }

  stats(): GitStats {
    return this.engine.state.current().git.stats;
  }

  async close(): Promise<void> {
    await this.engine.stop();
  }

  async #start(queued: readonly StoredOperation[]): Promise<void> {
    for (const { lane } of queued) this.#lanes.add(lane);
    this.engine.runner.claim([...this.#lanes]);
    await this.engine.git.flush();
  }

  async #idle(): Promise<void> {
    await until(async () => {
      await this.engine.state.refresh();
      const { pending, executing } = this.engine.state.current().git;
      return pending.length + executing.length === 0;
    });
  }

  /** Refs and objects of the repositories that the operations are in. */
  #standing(operations: readonly StoredOperation[]): readonly string[] {
    const folders = new Set(operations.map(({ group }) => group.slice("git:".length)));
    return [...folders].flatMap((folder) => [
      this.#sandbox.git(folder, "for-each-ref", "--format=%(objectname) %(refname)"),
      this.#sandbox.git(folder, "count-objects", "-v"),
    ]);
  }

  /** What a batch leaves behind is tidied up after its last result. */
  #isPinned(operations: readonly StoredOperation[]): boolean {
    const folders = new Set(operations.map(({ group }) => group.slice("git:".length)));
    const pins = [...folders].map((folder) =>
      this.#sandbox.git(folder, "for-each-ref", "refs/batch-control/pin"),
    );
    return operations.some(({ id }) => pins.some((listed) => listed.includes(id)));
  }

  async #queued(): Promise<readonly StoredOperation[]> {
    const page = await this.journal.operations({ status: "queued", limit: 500 });
    const all = await Promise.all(page.map(({ id }) => this.journal.operation(id)));
    return all.filter((operation) => operation !== undefined).sort((a, b) => a.position - b.position);
  }
}
