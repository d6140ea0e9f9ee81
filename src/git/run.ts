import type { Batch } from "../core/batch.ts";
import type { ProcessIdentity } from "../core/effect.ts";
import type { ExecutionContext } from "../core/executor.ts";
import type { Outcome, Settlement } from "../core/journal.ts";
import type { FinalStatus, StoredOperation } from "../core/operation.ts";
import type { Clock } from "../core/ports.ts";
import type { Progress } from "../core/snapshot.ts";
import type { CommitPlan } from "./commit-outcome.ts";
import { failureOf, GitError } from "./git-error.ts";
import type { Failure } from "./git-error.ts";
import { failed } from "./outcomes.ts";
import type { Success } from "./outcomes.ts";
import { readOperation } from "./payload.ts";
import type { GitOperation } from "./payload.ts";
import { commonDirOf } from "./repository.ts";
import type { GitRunner } from "./runner.ts";
import type { GitSettings } from "./settings.ts";

/** How the executor tells processes apart; given by the host's platform. */
export interface Processes {
  /** `undefined`: it has ended already. */
  identify(pid: number): Promise<ProcessIdentity | undefined>;
  isAlive(process: ProcessIdentity): Promise<boolean>;
}

export interface ExecutorDeps {
  readonly git: GitRunner;
  readonly clock: Clock;
  readonly processes: Processes;
  /** For the user's own commands, cleaned of git's variables. */
  readonly processEnvironment: Readonly<NodeJS.ProcessEnv>;
  readonly settings: (worktree: string) => GitSettings;
  /** Extra environment of pushes: how to answer for credentials. `own`: the user's own askpass program. */
  readonly environment: (own: string | undefined) => Promise<Readonly<Record<string, string>>>;
  /** The journal's `operation`. */
  readonly operation: (id: string) => Promise<StoredOperation | undefined>;
  readonly recall: (key: string) => Promise<string | undefined>;
  readonly remember: (key: string, value: string | undefined) => Promise<unknown>;
}

/** One turn on one batch: what is settled so far, and the only way to settle more. */
export class Run {
  readonly deps: ExecutorDeps;
  readonly batch: Batch;
  readonly context: ExecutionContext;
  readonly commonDir: string;
  readonly operations: readonly GitOperation[];
  readonly final: Map<string, FinalStatus>;
  /** Merges that have their commit and still wait for their push. */
  readonly landed = new Map<string, Success>();

  /** Steps of earlier windows whose process could not be noted, so that it may still commit; by operation. */
  readonly unwatched = new Map<string, CommitPlan[]>();
  /** What earlier turns pushed, by `deliveryKey`. */
  readonly delivered = new Set<string>();

  readonly #details = new Map<string, unknown>();
  readonly #items: ReadonlyMap<string, GitOperation>;

  static async begin(deps: ExecutorDeps, batch: Batch, context: ExecutionContext): Promise<Run> {
    const operations: GitOperation[] = [];
    const final = new Map<string, FinalStatus>();
    for await (const page of context.operations()) {
      for (const operation of page) {
        operations.push(readOperation(operation));
        const { id, status } = operation;
        if (status === "succeeded" || status === "failed" || status === "cancelled" || status === "expired")
          final.set(id, status);
      }
    }
    return new Run(deps, batch, context, operations, final);
  }

  private constructor(
    deps: ExecutorDeps,
    batch: Batch,
    context: ExecutionContext,
    operations: readonly GitOperation[],
    final: Map<string, FinalStatus>,
  ) {
    this.deps = deps;
    this.batch = batch;
    this.context = context;
    this.commonDir = commonDirOf(batch.group);
    this.operations = operations;
    this.#items = new Map(operations.map((item) => [item.operation.id, item]));
    this.final = final;
  }

  get git(): GitRunner {
    return this.deps.git;
  }

  get signal(): AbortSignal {
    return this.context.signal;
  }

  /** Throws the reason of an abort, so that a turn ends between its steps. */
  stopHere(): void {
    this.signal.throwIfAborted();
  }

  item(id: string): GitOperation | undefined {
    return this.#items.get(id);
  }

  /** The detail that an operation of this or an earlier batch ended with. */
  async detailOf(id: string): Promise<unknown> {
    return this.#details.get(id) ?? (await this.deps.operation(id))?.detail;
  }

  open(): readonly GitOperation[] {
    return this.operations.filter(({ operation }) => !this.final.has(operation.id));
  }

  isOpen({ operation }: GitOperation): boolean {
    return !this.final.has(operation.id);
  }

  hasFailed(id: string): boolean {
    const status = this.final.get(id);
    return status !== undefined && status !== "succeeded";
  }

  /** While the outside world is asked, the operations say that their outcome is being found out. */
  async checking<T>(ids: readonly string[], ask: () => Promise<T>): Promise<T> {
    const items = ids.flatMap((id) => this.#items.get(id) ?? []).filter((item) => this.isOpen(item));
    const details = (more: Readonly<Record<string, unknown>>): ReadonlyMap<string, unknown> =>
      new Map(
        items.map(({ operation: { id, detail } }) => [id, { ...(detail as object | undefined), ...more }]),
      );
    await this.context.outcome({ details: details({ checking: true }) });
    try {
      return await ask();
    } finally {
      await this.context.outcome({ details: details({}) });
    }
  }

  /** Shows how far the batch is; `undefined` once that is over. That it could not be noted stops nothing. */
  async progress(progress: Progress | undefined): Promise<void> {
    try {
      await this.context.outcome({ detail: progress ? { progress } : {} });
    } catch (error) {
      this.context.log.debug(`progress could not be noted: ${String(error)}`);
    }
  }

  intent(kind: string, plan: unknown): Promise<number> {
    return this.context.intent(kind, plan);
  }

  /** Writes an outcome; operations that it settles are final from here. */
  async outcome(outcome: Outcome): Promise<void> {
    await this.context.outcome(outcome);
    for (const { result, detail } of outcome.settled ?? []) {
      this.final.set(result.id, result.status);
      if (detail !== undefined) this.#details.set(result.id, detail);
    }
  }

  /** Git trouble of a part of the batch ends that part only. */
  async isolate(items: readonly GitOperation[], task: () => Promise<void>): Promise<void> {
    try {
      await task();
    } catch (error) {
      if (!(error instanceof GitError) || this.signal.aborted) throw error;
      this.context.log.warn(error.message);
      await this.fail(
        items.filter((item) => this.isOpen(item)),
        failureOf(error),
      );
    }
  }

  settle(settled: readonly Settlement[]): Promise<void> {
    return settled.length === 0 ? Promise.resolve() : this.outcome({ settled });
  }

  fail(items: readonly GitOperation[], failure: Failure): Promise<void> {
    return this.settle(items.map((item) => failed(item, failure)));
  }

  failById(id: string, failure: Failure): Promise<void> {
    const item = this.#items.get(id);
    return this.fail(item && this.isOpen(item) ? [item] : [], failure);
  }

  /** Notes the process that performs an effect, so that an orphan of it is found. */
  onStart(n: number): (pid: number) => void {
    return (pid) => {
      void this.noteStart(n, pid);
    };
  }

  /** Resolves once the process is noted, or could not be, which is logged. */
  async noteStart(n: number, pid: number): Promise<void> {
    try {
      const identity = await this.deps.processes.identify(pid);
      if (identity) await this.context.started(n, identity);
    } catch (error) {
      this.context.log.warn(`process ${pid} could not be recorded: ${String(error)}`);
    }
  }

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        cancel();
        this.signal.removeEventListener("abort", done);
        resolve();
      };
      const cancel = this.deps.clock.after(ms, done);
      this.signal.addEventListener("abort", done, { once: true });
    });
  }

  /**
   * Repeats while another process holds a lock: up to ten times, about 20 s, then the error names the lock. An abort ends
   * it, but not what was begun because of that abort.
   */
  async patiently<T>(task: () => Promise<T>): Promise<T> {
    const { aborted } = this.signal;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await task();
      } catch (error) {
        if (!(error instanceof GitError) || error.reason !== "locked" || attempt === MAX_ATTEMPTS)
          throw error;
        this.context.log.debug(`${error.message} Waiting (${attempt}).`);
        await this.pause(attempt ** 2 * 50 * (0.75 + Math.random() / 2));
        if (!aborted) this.stopHere();
      }
    }
  }
}

const MAX_ATTEMPTS = 10;
