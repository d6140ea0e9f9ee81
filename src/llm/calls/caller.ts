import type { StatsDelta } from "../../core/stats.ts";
import type { Job } from "../batch/job.ts";
import type { Failure, ItemOutcome, PreparedRequest } from "../provider.ts";

const MOST_ATTEMPTS = 6;
const FIRST_PAUSE = 1_000;
const LAST_PAUSE = 60_000;

/** Makes single calls: waits when the provider says so, all of them together, and tries again what may work later. */
export class Caller {
  readonly #job: Job;
  #calls = 0;
  /** No call before this time. */
  #notBefore = 0;
  /** The account's trouble, once one call met it. */
  account: Failure | undefined;

  constructor(job: Job) {
    this.#job = job;
  }

  /**
   * `onText` gets all of this attempt's text until then; `onCut`: the call was cut off and may have been answered all the same.
   * `undefined`: not answered, because this window stops or the account is to be mended.
   */
  async call(
    request: PreparedRequest,
    { onText, onCut }: { readonly onText: (soFar: string) => void; readonly onCut: () => void },
  ): Promise<ItemOutcome | undefined> {
    const { provider, deps } = this.#job;
    const isOver = (): boolean =>
      this.#job.isCancelled() || this.#job.isStopped() || this.account !== undefined;
    for (let attempt = 1; ; attempt += 1) {
      while (this.#notBefore > deps.clock.now() && !isOver()) {
        await this.#job.wait(this.#notBefore - deps.clock.now());
      }
      if (isOver()) return undefined;
      let soFar = "";
      const answer = await provider.call(request, {
        ...this.#job.reading,
        onText: (text) => onText((soFar += text)),
      });
      if (answer.kind === "ok") {
        this.#calls += 1;
        return answer.value;
      }
      const { failure } = answer;
      // What may have been done is billed, so it counts as a call.
      if (failure.acted === "unknown") this.#calls += 1;
      if (failure.kind === "account") this.account = failure;
      if (isOver() && failure.acted === "unknown") onCut();
      if (isOver()) return undefined;
      if (failure.kind !== "transient" || attempt === MOST_ATTEMPTS) return { kind: "errored", failure };
      const pause =
        failure.retryAfterMs ??
        Math.min(LAST_PAUSE, FIRST_PAUSE * 2 ** (attempt - 1)) * (0.5 + (deps.random ?? Math.random)());
      deps.log.info(`A call is tried again in ${Math.round(pause / 1000)} s: ${failure.message}`);
      // A limit holds for all calls; other trouble may be of this one alone.
      if (failure.reason === "rate-limit" || failure.reason === "overloaded")
        this.#notBefore = deps.clock.now() + pause;
      else await this.#job.wait(pause);
    }
  }

  /** Calls made since the last time, to go with the next outcome. */
  takeCalls(): StatsDelta {
    const calls = this.#calls;
    this.#calls = 0;
    return calls === 0 ? {} : { "llm.apiCalls": calls };
  }
}
