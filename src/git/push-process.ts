import { failureOf } from "./git-error.ts";
import type { Failure } from "./git-error.ts";
import { refChange } from "./outcomes.ts";
import { plainText } from "./plain-text.ts";
import type { PushRef, PushStep } from "./plan-pushes.ts";
import { hookRefusal, refusedHere } from "./pre-push.ts";
import {
  isDelivered,
  limitTold,
  newValue,
  oldValue,
  parsePush,
  rejection,
  remoteMessage,
  SUBMODULE,
  troubleOf,
} from "./push-output.ts";
import type { PushLine, PushReport } from "./push-output.ts";
import { PushProgress, withoutProgress } from "./push-progress.ts";
import type { RefEnd } from "./push-ledger.ts";
import { readRefs, shortName } from "./refs.ts";
import { remoteEnvironment, remoteRefs } from "./remote-access.ts";
import { MIRROR, mirrors, withoutSecrets } from "./remotes.ts";
import type { Run } from "./run.ts";
import type { ProcessEnd } from "./spawn.ts";
import { limitKey } from "./state.ts";
import type { RepositoryState } from "./state.ts";

export interface PushSource extends PushRef {
  readonly oid: string;
}

/** The plan of a `push` effect. */
export interface PushIntent {
  readonly url: string;
  readonly remote: string;
  readonly byName: boolean;
  readonly worktree: string;
  readonly refs: readonly {
    readonly ref: string;
    readonly oid: string;
    readonly operations: readonly string[];
  }[];
}

export interface PushEnd {
  readonly ends: ReadonlyMap<string, RefEnd>;
  /** `git push` processes. */
  readonly runs: number;
  /** So many refs can go at once; nothing was pushed. One: each has to go alone, so that it holds back no other. */
  readonly learned?: number;
}

const MAX_TRIES = 3;
const CONTEST_LOOKS = 5;
const CONTEST_PAUSE_MS = 500;
const MAX_OUTPUT = 8 * 1024 * 1024;

/** One push to one address, with retries while the network fails. */
export class PushProcess {
  readonly #run: Run;
  readonly #step: PushStep;
  readonly #state: RepositoryState;
  readonly #hooked: boolean;

  /** `hooked`: there is a pre-push hook. */
  constructor(run: Run, step: PushStep, state: RepositoryState, hooked: boolean) {
    this.#run = run;
    this.#step = step;
    this.#state = state;
    this.#hooked = hooked;
  }

  plan(chunk: readonly PushSource[]): PushIntent {
    const { url, remote, byName, worktree } = this.#step;
    return {
      url: withoutSecrets(url),
      remote,
      byName,
      worktree,
      refs: chunk.map(({ ref, oid, operations }) => ({
        ref,
        oid,
        operations: operations.map(({ operation }) => operation.id),
      })),
    };
  }

  async run(n: number, chunk: readonly PushSource[]): Promise<PushEnd> {
    for (let tries = 1; ; tries += 1) {
      const end = await this.#spawn(n, chunk);
      const report = parsePush(plainText(end.stdout.toString("utf8")));
      const learned = await this.#learn(end, chunk);
      if (learned !== undefined) return { ends: new Map(), runs: tries, learned };
      if (report.lines.length > 0 && end.stopped === undefined && end.exitCode !== null) {
        const ends = await this.#asSent(this.#ends(report, chunk, end), report, chunk);
        return { ends: await this.#arrived(ends, chunk), runs: tries };
      }
      if (end.stopped !== undefined || end.exitCode === null)
        return { ends: await this.#settleInterrupted(chunk, end), runs: tries };
      const trouble = troubleOf(end.stderr, withoutSecrets(this.#step.url));
      if (end.stderr.includes("--mirror can't be combined with refspecs")) {
        const failure = { reason: MIRROR, error: mirrors(this.#step.remote) };
        return { ends: everywhere(chunk, failure), runs: tries };
      }
      const here = this.#hooked && refusedHere(end, trouble);
      if ((here || trouble.failure.reason === SUBMODULE) && chunk.length > 1 && !this.#step.atomic)
        return { ends: new Map(), runs: tries, learned: 1 };
      const refusal = here ? hookRefusal(end, chunk) : undefined;
      if (refusal) return { ends: everywhere(chunk, refusal), runs: tries };
      if (trouble.kind !== "transient" || tries === MAX_TRIES)
        return { ends: everywhere(chunk, trouble.failure), runs: tries };
      this.#run.context.log.info(`${trouble.failure.error}; trying again`);
      await this.#run.pause(1000 * 4 ** (tries - 1));
      if (this.#run.signal.aborted) return { ends: await this.#settleInterrupted(chunk, end), runs: tries };
    }
  }

  async #spawn(n: number, chunk: readonly PushSource[]): Promise<ProcessEnd> {
    const { url, remote, byName, atomic, timeoutMs } = this.#step;
    const leases = chunk.flatMap(({ ref, lease }) =>
      lease ? [`--force-with-lease=${ref}:${lease.expect}`] : [],
    );
    const tips = this.#hooked ? await this.#tips(chunk) : undefined;
    const args = [
      // Whole ids in the summary; no helper program as an address.
      ...[
        "-c",
        "core.abbrev=no",
        "-c",
        "protocol.ext.allow=never",
        "-c",
        "gc.auto=0",
        "-c",
        "maintenance.auto=false",
      ],
      ...[
        "push",
        "--porcelain",
        "--progress",
        "--no-follow-tags",
        `--recurse-submodules=${this.#submodules}`,
      ],
      ...(atomic ? ["--atomic"] : []),
      ...leases,
      ...["--", byName ? remote : url],
      // An id is proof against a branch that moves; a hook is told what a plain `git push` tells it.
      ...chunk.map(({ ref, oid }) => `${tips?.get(ref) === oid ? ref : oid}:${ref}`),
    ];
    const progress = new PushProgress(this.#run.deps.clock, (newest) =>
      this.#run.progress({ target: remote, ...newest }),
    );
    const end = await this.#run.git.run(this.#cwd, args, {
      env: await remoteEnvironment(this.#run, this.#state.configs.get(this.#step.worktree)),
      signal: this.#run.signal,
      timeoutMs,
      maxOutput: MAX_OUTPUT,
      onStart: this.#run.onStart(n),
      onOutput: (chunk) => progress.add(chunk),
    });
    if (await progress.end()) await this.#run.progress(undefined);
    // A pre-push hook is told the whole address, and may print it.
    return { ...end, stderr: withoutSecrets(plainText(withoutProgress(end.stderr))) };
  }

  #tips(chunk: readonly PushSource[]): Promise<ReadonlyMap<string, string>> {
    return readRefs(this.#run.git, this.#run.commonDir, ...chunk.map(({ ref }) => ref));
  }

  /** What was pushed by its name may have moved just before. */
  async #asSent(
    ends: ReadonlyMap<string, RefEnd>,
    { lines }: PushReport,
    chunk: readonly PushSource[],
  ): Promise<ReadonlyMap<string, RefEnd>> {
    if (!this.#hooked) return ends;
    const tips = await this.#tips(chunk);
    const moved = chunk.filter(
      ({ ref, oid }) => ends.get(ref)?.kind === "delivered" && tips.get(ref) !== oid,
    );
    if (moved.length === 0) return ends;
    const there = await this.#remoteRefs(moved).catch(() => new Map<string, string>());
    const known = new Map(ends);
    for (const { ref, oid } of moved) {
      const line = lines.find(({ destination }) => destination === ref);
      const end = ends.get(ref);
      if (end?.kind !== "delivered") continue;
      const sent = (line && newValue(line)) ?? there.get(ref) ?? oid;
      known.set(ref, { ...end, change: { ...end.change, new: sent } });
    }
    return known;
  }

  /** Looking for commits of submodules walks all that is pushed; only one that was initialised here can have some. */
  get #submodules(): "check" | "no" {
    return this.#state.configs.get(this.#step.worktree)?.has("submodule.") === false ? "no" : "check";
  }

  get #cwd(): string {
    return this.#state.places.get(this.#step.worktree) ?? this.#run.commonDir;
  }

  async #learn(end: ProcessEnd, chunk: readonly PushSource[]): Promise<number | undefined> {
    const limit = limitTold(end.stderr);
    if (limit === undefined || limit < 1 || limit >= chunk.length) return undefined;
    await this.#run.deps.remember(limitKey(this.#step.url), String(limit));
    return limit;
  }

  /**
   * The git of a killed window may have been at the same push, and then the remote refuses ours although it has what was
   * asked for, or is about to have it.
   */
  async #arrived(
    ends: ReadonlyMap<string, RefEnd>,
    chunk: readonly PushSource[],
  ): Promise<ReadonlyMap<string, RefEnd>> {
    const some = (known: ReadonlyMap<string, RefEnd>, test: (end: RefEnd) => boolean): boolean =>
      [...known.values()].some(test);
    if (!some(ends, isContested) && !some(ends, isOutrun)) return ends;
    let known = await this.#deliveredOf(chunk, ends);
    for (let look = 1; look < CONTEST_LOOKS && some(known, isContested); look += 1) {
      await this.#run.pause(CONTEST_PAUSE_MS);
      if (this.#run.signal.aborted) break;
      known = await this.#deliveredOf(chunk, known);
    }
    return known;
  }

  /** The ends as they are with what the remote has now; where it does not answer, as they were. */
  async #deliveredOf(
    chunk: readonly PushSource[],
    ends: ReadonlyMap<string, RefEnd>,
  ): Promise<ReadonlyMap<string, RefEnd>> {
    const failed = chunk.filter(({ ref }) => ends.get(ref)?.kind === "failed");
    const there = await this.#remoteRefs(failed).catch(() => undefined);
    if (!there) return ends;
    const known = new Map(ends);
    for (const { ref, oid } of failed) if (there.get(ref) === oid) known.set(ref, arrival(ref, oid));
    return known;
  }

  #remoteRefs(chunk: readonly PushSource[]): Promise<ReadonlyMap<string, string>> {
    const address = this.#step.byName ? this.#step.remote : this.#step.url;
    return remoteRefs(
      this.#run,
      this.#cwd,
      address,
      chunk.map(({ ref }) => ref),
    );
  }

  #ends(
    { lines, done }: PushReport,
    chunk: readonly PushSource[],
    end: ProcessEnd,
  ): ReadonlyMap<string, RefEnd> {
    const message = remoteMessage(end.stderr);
    const byRef = new Map(lines.map((line) => [line.destination, line]));
    return new Map(
      chunk.map((source, index) => {
        // A server may answer under another name; then the order of what is left tells.
        const line = byRef.get(source.ref) ?? (lines.length === chunk.length ? lines[index] : undefined);
        return [source.ref, this.#endOf(source, line, done || end.exitCode === 1, message)];
      }),
    );
  }

  #endOf({ ref, oid }: PushSource, line: PushLine | undefined, complete: boolean, message: string): RefEnd {
    if (!line || !complete) {
      return {
        kind: "failed",
        failure: {
          reason: "push-failed",
          error: `git said nothing about ${shortName(ref)}`,
          detail: { remoteOutput: message },
        },
      };
    }
    if (!isDelivered(line)) return { kind: "failed", failure: rejection(line, message) };
    return { kind: "delivered", change: refChange(ref, oldValue(line), oid), upToDate: line.flag === "=" };
  }

  /** A killed push may have arrived: the remote tells. */
  async #settleInterrupted(
    chunk: readonly PushSource[],
    end: ProcessEnd,
  ): Promise<ReadonlyMap<string, RefEnd>> {
    if (this.#run.signal.aborted && this.#run.signal.reason !== "cancel") throw this.#run.signal.reason;
    const where = withoutSecrets(this.#step.url);
    const error =
      end.stopped === "timeout"
        ? `git push to ${where} took longer than ${this.#step.timeoutMs / 1000} s`
        : `git push to ${where} was interrupted`;
    const left: RefEnd =
      end.stopped === "abort"
        ? { kind: "cancelled" }
        : {
            kind: "failed",
            failure: { reason: end.stopped === "timeout" ? "timeout" : "interrupted", error },
          };
    try {
      const ids = chunk.flatMap(({ operations }) => operations.map(({ operation }) => operation.id));
      const there = await this.#run.checking(ids, () => this.#remoteRefs(chunk));
      const tips = this.#hooked ? await this.#tips(chunk) : undefined;
      return new Map(
        chunk.map(({ ref, oid }): [string, RefEnd] => {
          const now = there.get(ref);
          const ours = now !== undefined && (now === oid || now === tips?.get(ref));
          return [ref, ours ? arrival(ref, now) : left];
        }),
      );
    } catch (problem) {
      const failure = {
        reason: "unknown",
        error: `${error}, and the remote does not say what arrived: ${failureOf(problem).error}`,
      };
      return everywhere(chunk, failure);
    }
  }
}

/** The remote's ref was locked or moved while this push was at it. */
const isContested = (end: RefEnd): boolean =>
  end.kind === "failed" &&
  end.failure.error.includes("failed to update ref") &&
  !end.failure.error.includes("cannot create");
/** It had moved when this push began. */
const isOutrun = (end: RefEnd): boolean => end.kind === "failed" && end.failure.reason === "stale-lease";

const arrival = (ref: string, oid: string): RefEnd => ({
  kind: "delivered",
  change: refChange(ref, undefined, oid),
  upToDate: false,
});

const everywhere = (chunk: readonly PushSource[], failure: Failure): ReadonlyMap<string, RefEnd> =>
  new Map(chunk.map(({ ref }) => [ref, { kind: "failed", failure }]));
