import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { v7 as newId } from "uuid";
import type { Batch } from "../../../../src/core/batch.ts";
import type { ExecutionContext, StopReason, TurnEnd } from "../../../../src/core/executor.ts";
import type { Fence, Fenced } from "../../../../src/core/journal.ts";
import type { Disposable, Logger } from "../../../../src/core/ports.ts";
import type { Result } from "../../../../src/core/result.ts";
import type { LlmRequestInput } from "../../../../src/core/schema/inputs.ts";
import { MemoryJournal } from "../../../../src/journal/memory-journal.ts";
import { createLlmRoom } from "../../../../src/llm/index.ts";
import type { LlmRoom, LlmSettings } from "../../../../src/llm/index.ts";
import { RunContext } from "../../../../src/runner/run-context.ts";
import type { Simulator, SimulatorOptions } from "../../../support/simulator/index.ts";
import { startSimulator } from "../../../support/simulator/index.ts";
import { FastClock } from "./clock.ts";

const FACTOR = 400;
const silent = (): void => undefined;
const quiet: Logger = { trace: silent, debug: silent, info: silent, warn: silent, error: silent };

export interface RigOptions extends SimulatorOptions {
  readonly settings?: Partial<LlmSettings>;
  readonly key?: string;
  readonly factor?: number;
  readonly now?: string;
}

/** One window: journal, acceptor and executor against the simulator, driven by the plainest of runners. */
export class Rig {
  readonly simulator: Simulator;
  readonly tempDir: string;
  readonly clock: FastClock;
  readonly journal: MemoryJournal;
  /** A fresh one for each window. */
  room: LlmRoom;
  readonly warnings: string[] = [];
  readonly turns: TurnEnd[] = [];
  /** What was told of answers on their way, in order. */
  readonly growth: (readonly [id: string, text: string | undefined])[] = [];
  readonly texts = new Map<string, string>();
  settings: LlmSettings;
  key: string | undefined;
  readonly #watchers: Disposable[] = [];
  #stop = new AbortController();

  static async start(options: RigOptions = {}): Promise<Rig> {
    const { settings, key = "key-of-a-test", factor = FACTOR, now, ...simulator } = options;
    const tempDir = await mkdtemp(join(tmpdir(), "batch-control-llm-"));
    return new Rig(await startSimulator(simulator), tempDir, settings ?? {}, key, factor, now);
  }

  private constructor(
    simulator: Simulator,
    tempDir: string,
    settings: Partial<LlmSettings>,
    key: string,
    factor: number,
    now: string | undefined,
  ) {
    this.simulator = simulator;
    this.tempDir = tempDir;
    this.key = key;
    this.settings = {
      provider: "anthropic",
      anthropicBaseUrl: simulator.url,
      openaiBaseUrl: `${simulator.url}/v1`,
      pollInterval: 20,
      unknownOutcomeWait: 900,
      maxCostPerFlush: 0,
      maxCostPerDay: 0,
      prices: {},
      packing: false,
      ...settings,
    };
    this.clock = new FastClock(factor);
    if (now !== undefined) this.clock.jump(Date.parse(now) - Date.now());
    const clock = this.clock;
    this.journal = new MemoryJournal({ clock, newId });
    this.room = this.#openRoom();
  }

  #openRoom(): LlmRoom {
    const note = (message: string): void => void this.warnings.push(message);
    const log: Logger = { ...quiet, info: note, warn: note, error: note };
    const { clock, tempDir } = this;
    return createLlmRoom({
      settings: () => this.settings,
      apiKey: () => Promise.resolve(this.key),
      log,
      clock,
      newId,
      tempDir,
      remember: (...fact) => this.journal.remember(...fact),
      recall: (name) => this.journal.recall(name),
      batchStatus: async (id) => (await this.journal.batch(id))?.status,
      onText: (id, text) => {
        this.growth.push([id, text]);
        if (text !== undefined) this.texts.set(id, text);
      },
    });
  }

  get acceptor(): LlmRoom["acceptor"] {
    return this.room.acceptor;
  }

  get executor(): LlmRoom["executor"] {
    return this.room.executor;
  }

  get provider(): LlmRoom["provider"] {
    return this.room.provider;
  }

  async enqueue(...inputs: LlmRequestInput[]): Promise<string[]> {
    const operations = [];
    for (const input of inputs) {
      const id = newId();
      const draft = await this.acceptor.accept(input, { id, source: "extension", interactive: false });
      const { immediate: _immediate, ...stored } = draft;
      const enqueuedAt = this.clock.now();
      operations.push({
        ...stored,
        id,
        source: "extension" as const,
        enqueuedAt,
        payload: JSON.stringify(draft.payload),
      });
    }
    const outcomes = await this.journal.enqueue(operations);
    return outcomes.map(({ id }) => id);
  }

  /** Forms batches of everything queued; `detail`: what they say from the start. */
  async seal(detail?: unknown): Promise<readonly Batch[]> {
    const queues = await this.journal.queues("llm");
    return this.journal.seal(
      queues.map(({ group }) => ({ group, limits: this.room.sealLimits(group), detail })),
    );
  }

  /** Forms batches and executes them to their ends. */
  async flush(detail?: unknown): Promise<void> {
    await this.seal(detail);
    await this.execute();
  }

  /** A fresh window takes over: the batches that were executing, then the pending ones. */
  async execute(): Promise<void> {
    this.#stop = new AbortController();
    const lanes = await this.journal.openLanes();
    await Promise.all(lanes.map((lane) => this.#lane(lane)));
  }

  /** Ends this window as a reload does. */
  shutdown(): void {
    this.#stop.abort("shutdown" satisfies StopReason);
    this.room = this.#openRoom();
  }

  async results(ids: readonly string[]): Promise<(Result | undefined)[]> {
    return Promise.all(ids.map((id) => this.journal.result(id)));
  }

  /** Methods and paths that reached the simulator. */
  get calls(): string[] {
    return this.simulator.requests.map(({ method, path }) => `${method} ${path}`);
  }

  count(call: string): number {
    return this.calls.filter((one) => one === call).length;
  }

  leftFiles(): Promise<string[]> {
    return readdir(this.tempDir);
  }

  async close(): Promise<void> {
    this.shutdown();
    for (const watcher of this.#watchers) watcher.dispose();
    await this.simulator.close();
    await this.journal.close();
    await rm(this.tempDir, { recursive: true, force: true });
  }

  async #lane(lane: string): Promise<void> {
    const fence = await this.journal.lead(lane, newId(), { pid: process.pid, start: "0" });
    const following: Promise<void>[] = [];
    const open = [...(await this.journal.executing(lane))];
    for (;;) {
      const batch = open.shift() ?? done(await this.journal.claim(fence));
      if (batch === undefined || this.#stop.signal.aborted) break;
      const end = await this.#run(fence, batch);
      if (end.kind === "following") following.push(this.#follow(fence, batch));
    }
    await Promise.all(following);
  }

  async #run(fence: Fence, batch: Batch): Promise<TurnEnd> {
    for (;;) {
      const end = await this.#note(
        fence,
        batch,
        await this.executor.run(await this.#latest(batch), this.#context(fence, batch)),
      );
      if (end.kind !== "again" || this.#stop.signal.aborted) return end;
    }
  }

  /** Where following finds that nothing happened, the batch is run again. */
  async #follow(fence: Fence, batch: Batch): Promise<void> {
    for (let end: TurnEnd = { kind: "following" }; end.kind === "following";) {
      end = await this.#note(
        fence,
        batch,
        await this.executor.follow(await this.#latest(batch), this.#context(fence, batch)),
      );
      if (end.kind === "again") end = await this.#run(fence, batch);
    }
  }

  async #latest(batch: Batch): Promise<Batch> {
    return (await this.journal.batch(batch.id)) ?? batch;
  }

  async #note(fence: Fence, batch: Batch, end: TurnEnd): Promise<TurnEnd> {
    this.turns.push(end);
    if (end.kind === "held") await this.#hold(fence, batch, end);
    if (end.kind === "again") await new Promise<void>((resolve) => this.clock.after(end.afterMs, resolve));
    return end;
  }

  async #hold(fence: Fence, batch: Batch, end: Extract<TurnEnd, { kind: "held" }>): Promise<void> {
    await this.journal.setHold({ ...end.hold, lane: batch.lane });
    done(await this.journal.release(fence, batch.id, "queue"));
  }

  #context(fence: Fence, batch: Batch): ExecutionContext {
    const { journal } = this;
    const { signal } = this.#cancelOn(batch.id);
    const leaving = this.#stop.signal;
    return new RunContext(journal, fence, batch.id, { signal, leaving }, quiet);
  }

  /** Aborts when this window stops or somebody cancels the batch. */
  #cancelOn(id: string): AbortController {
    const controller = new AbortController();
    this.#stop.signal.addEventListener("abort", () => controller.abort(this.#stop.signal.reason));
    const watcher = this.journal.watch(0, (events) => {
      if (events.some(({ type, batch }) => type === "cancel" && batch === id))
        controller.abort("cancel" satisfies StopReason);
    });
    this.#watchers.push(watcher);
    return controller;
  }
}

function done<T>(fenced: Fenced<T>): T {
  if (fenced.kind === "fenced") throw new Error("fenced");
  return fenced.value;
}

export const ask = (prompt: string, more: Partial<LlmRequestInput> = {}): LlmRequestInput => ({
  type: "implementer",
  model: "claude-sonnet-5-5",
  prompt,
  ...more,
});

/** Waits until `condition` holds. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5));
}
