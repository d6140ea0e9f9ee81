import type { Rule } from "./faults.ts";
import type { JsonObject } from "./http.ts";
import type { LoggedRequest } from "./log.ts";
import type { OutcomeRule } from "./outcome.ts";

/** A batch as the server has it. */
export interface ServerBatch {
  readonly provider: "anthropic" | "openai";
  readonly id: string;
  readonly workspace: string;
  readonly status: string;
  /** In the order in which they were sent. */
  readonly customIds: readonly string[];
  /** What was sent for one item: `params`, or `body` with OpenAI. */
  params(customId: string): Promise<JsonObject | undefined>;
}

/** A running simulator of both vendors' APIs and the means to steer it. */
export interface Simulator {
  /** The base URL for the Anthropic SDK; the OpenAI SDK takes it with `/v1`. */
  readonly url: string;
  readonly port: number;
  /** Everything that arrived, oldest first; orders to the control address are left out. */
  readonly requests: readonly LoggedRequest[];
  /** Oldest first, of all workspaces, without deleted ones. */
  readonly batches: readonly ServerBatch[];
  /** Ends a batch now. Throws when there is none with this id. */
  endBatch(id: string): Promise<void>;
  endAll(): Promise<void>;
  /** OpenAI: one stage further (validated, half done, all done, completed). Anthropic: ends the batch. */
  stepBatch(id: string): Promise<void>;
  /** Moves the server's clock forward; batches whose time is over expire. */
  advance(ms: number): Promise<void>;
  misbehave(rule: Rule): void;
  /** Decides what becomes of the items that agree; later rules go before earlier ones. */
  setOutcome(rule: OutcomeRule): void;
  /** Leaves a batch out of `list`, as if it were not there yet. */
  hide(id: string): void;
  show(id: string): void;
  /** Forgets the log, the rules and the outcomes; batches stay. */
  reset(): void;
  /** Breaks all connections and leaves nothing behind. */
  close(): Promise<void>;
}
