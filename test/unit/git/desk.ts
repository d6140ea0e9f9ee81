import type { Draft } from "../../../src/core/acceptor.ts";
import type { Batch } from "../../../src/core/batch.ts";
import { endedStatus } from "../../../src/core/batch.ts";
import type { Effect, ProcessIdentity } from "../../../src/core/effect.ts";
import type { ExecutionContext, TurnEnd } from "../../../src/core/executor.ts";
import type { Outcome } from "../../../src/core/journal.ts";
import type { OperationStatus, StoredOperation } from "../../../src/core/operation.ts";
import type { Clock, Logger } from "../../../src/core/ports.ts";
import type { StatsDelta } from "../../../src/core/stats.ts";
import type { Result } from "../../../src/core/result.ts";
import type { GitInput } from "../../../src/core/schema/inputs.ts";
import { GitAcceptor, GitExecutor, ProcessGitRunner } from "../../../src/git/index.ts";
import type { ExecutorDeps, GitRunner, GitSettings } from "../../../src/git/index.ts";
import type { Sandbox } from "./sandbox.ts";

export const defaults: GitSettings = {
  atomicPush: false,
  maxRefsPerPush: 0,
  protectedBranches: [],
  verifyCommand: "",
  verifyPrepare: "",
  verifyTimeout: 60,
  commitTimeout: 60,
  pushTimeout: 60,
};

const silent = (): void => undefined;
const quiet: Logger = { trace: silent, debug: silent, info: silent, warn: silent, error: silent };

/** Time that passes at once when somebody waits for it. */
export const hastyClock: Clock = {
  now: () => Date.now(),
  after: (_ms, callback) => {
    const timer = setTimeout(callback, 1);
    return () => clearTimeout(timer);
  },
};

/** Acceptor and executor around a journal that lives in memory: what a window does, without the window. */
export class Desk {
  readonly operations = new Map<string, StoredOperation>();
  readonly results = new Map<string, Result>();
  readonly effects = new Map<string, Effect[]>();
  readonly stats = new Map<string, number>();
  readonly facts = new Map<string, string>();
  readonly git: GitRunner;
  readonly acceptor: GitAcceptor;
  readonly executor: GitExecutor;
  readonly deps: ExecutorDeps;
  settings: GitSettings;
  #next = 0;
  #batches = 0;

  constructor(
    sandbox: Sandbox,
    settings: Partial<GitSettings> = {},
    extra: Partial<ExecutorDeps> = {},
    binary = "git",
  ) {
    this.settings = { ...defaults, ...settings };
    this.git = extra.git ?? new ProcessGitRunner(() => binary, sandbox.environment);
    this.deps = {
      git: this.git,
      clock: hastyClock,
      processes: {
        identify: (pid) => Promise.resolve({ pid, start: "?" }),
        isAlive: () => Promise.resolve(false),
      },
      processEnvironment: sandbox.environment,
      settings: () => this.settings,
      environment: () => Promise.resolve({}),
      operation: (id) => Promise.resolve(this.operations.get(id)),
      recall: (key) => Promise.resolve(this.facts.get(key)),
      remember: (key, value) => {
        if (value === undefined) this.facts.delete(key);
        else this.facts.set(key, value);
        return Promise.resolve();
      },
      ...extra,
    };
    this.acceptor = new GitAcceptor({
      git: this.git,
      clock: hastyClock,
      settings: () => this.settings,
      operation: (id) => Promise.resolve(this.operations.get(id)),
      recall: (key) => Promise.resolve(this.facts.get(key)),
    });
    this.executor = new GitExecutor(this.deps);
  }

  /** Accepts and writes down; answers the operation's id. */
  async enqueue(input: GitInput): Promise<string> {
    const id = this.newId();
    const draft = await this.acceptor.accept(input, { id, source: "extension", interactive: false });
    this.store(id, draft);
    return id;
  }

  newId(): string {
    this.#next += 1;
    return `01900000-0000-7000-8000-${String(this.#next).padStart(12, "0")}`;
  }

  store(id: string, draft: Draft): void {
    const { kind, group, lane, label, payload, detail } = draft;
    const text = JSON.stringify(payload);
    this.operations.set(id, {
      ...{ id, kind, group, lane, label, detail, payload: text, source: "extension", status: "queued" },
      ...{ enqueuedAt: Date.now(), position: this.#next, bytes: text.length },
    });
  }

  /** Everything queued as one batch. */
  async flush(signal: AbortSignal = new AbortController().signal): Promise<TurnEnd> {
    const queued = [...this.operations.values()].filter(({ status }) => status === "queued");
    return this.execute(this.seal(queued), signal);
  }

  seal(operations: readonly StoredOperation[]): Batch {
    this.#batches += 1;
    const id = `batch-${this.#batches}`;
    for (const operation of operations)
      this.operations.set(operation.id, { ...operation, status: "executing", batch: id });
    const group = operations[0]?.group ?? "git:none";
    return {
      ...{
        id,
        side: "git",
        group,
        lane: group,
        status: "executing",
        createdAt: 0,
        operationCount: operations.length,
      },
      ...{ bytes: 0, counts: {}, cancelRequested: false },
    };
  }

  execute(batch: Batch, signal: AbortSignal = new AbortController().signal): Promise<TurnEnd> {
    return this.executor.run(batch, this.context(batch, signal));
  }

  context(batch: Batch, signal: AbortSignal): ExecutionContext {
    const effects = this.effects.get(batch.id) ?? [];
    this.effects.set(batch.id, effects);
    return {
      fence: { lane: batch.lane, holder: "test", epoch: 1 },
      signal,
      log: quiet,
      intent: (kind, plan) => {
        const n = effects.length;
        effects.push({
          batch: batch.id,
          n,
          kind,
          state: "intent",
          epoch: 1,
          plan: JSON.stringify(plan),
          at: Date.now(),
        });
        return Promise.resolve(n);
      },
      started: (n: number, process: ProcessIdentity) => {
        const effect = effects[n];
        if (effect?.state === "intent" || effect?.state === "started")
          effects[n] = { ...effect, state: "started", process };
        return Promise.resolve();
      },
      outcome: (outcome) => Promise.resolve(this.#outcome(batch, effects, outcome)),
      effects: () => Promise.resolve([...effects]),
      operations: () => this.#pages(batch.id),
      // Nothing on the git side holds a lane or gives a part of its batch back.
      hold: () => Promise.resolve(),
      lift: () => Promise.resolve(),
      requeue: () => Promise.resolve(),
    };
  }

  /** `succeeded`, or why not. */
  ends(ids: readonly string[]): readonly string[] {
    return ids.map((id) =>
      this.result(id).status === "succeeded" ? "succeeded" : (this.result(id).reason ?? "?"),
    );
  }

  result(id: string): Result {
    const result = this.results.get(id);
    if (!result) throw new Error(`${id} has no result`);
    return result;
  }

  detail(id: string): Readonly<Record<string, unknown>> {
    return (this.operations.get(id)?.detail ?? {}) as Readonly<Record<string, unknown>>;
  }

  #outcome(batch: Batch, effects: Effect[], outcome: Outcome): Batch {
    const { effect, settled = [], stats = {} } = outcome;
    const known = effect && effects[effect.n];
    if (effect && known)
      effects[effect.n] = { ...known, state: effect.state, result: JSON.stringify(effect.result ?? null) };
    for (const [id, detail] of outcome.details ?? []) {
      const operation = this.operations.get(id);
      if (operation) this.operations.set(id, { ...operation, detail });
    }
    for (const { result, detail, stats: own = {} } of settled) {
      if (this.results.has(result.id)) continue;
      this.#count(own);
      this.results.set(result.id, result);
      const operation = this.operations.get(result.id);
      if (operation)
        this.operations.set(result.id, {
          ...operation,
          status: result.status,
          detail: detail ?? operation.detail,
        });
    }
    this.#count(stats);
    const open = [...this.operations.values()].some(
      (item) => item.batch === batch.id && item.status === "executing",
    );
    return open ? batch : { ...batch, status: endedStatus(this.#counts(batch.id)) };
  }

  #count(stats: StatsDelta): void {
    for (const [name, value] of Object.entries(stats))
      this.stats.set(name, (this.stats.get(name) ?? 0) + Number(value));
  }

  #counts(batch: string): Partial<Record<OperationStatus, number>> {
    const counts: Partial<Record<OperationStatus, number>> = {};
    for (const operation of this.operations.values()) {
      if (operation.batch === batch) counts[operation.status] = (counts[operation.status] ?? 0) + 1;
    }
    return counts;
  }

  async *#pages(batch: string): AsyncGenerator<readonly StoredOperation[]> {
    await Promise.resolve();
    yield [...this.operations.values()].filter((operation) => operation.batch === batch);
  }
}
