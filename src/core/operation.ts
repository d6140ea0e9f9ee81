/** What an operation asks for. */
export type OperationKind = "commit" | "push" | "merge" | "request";
/** The two halves of the product; each has its own batcher, queue and statistics. */
export type SideName = "git" | "llm";
/** An operation is final once its status is one of the last four; a final one never changes. */
export type OperationStatus = "queued" | "pending" | "executing" | FinalStatus;
export type FinalStatus = "succeeded" | "failed" | "cancelled" | "expired";
/** Who asked. The age trigger counts from the oldest queued operation that was not enqueued by a person. */
export type Source = "person" | "extension" | "tool" | "cli" | "mcp";

/** Which window enqueued an operation. */
export interface Origin {
  /** The name of its machine. */
  readonly machine: string;
  /** Tells it from every other window; one that was reloaded is another one. */
  readonly window: string;
  /** The name of the workspace or folder that it shows; absent where it shows none. */
  readonly workspace?: string;
}

/** One thing asked for, without its payload, which may be large and is read on its own. Times are milliseconds since 1970. */
export interface Operation {
  /** UUIDv7, ours; the order of ids is the order of acceptance only within one window. */
  readonly id: string;
  readonly kind: OperationKind;
  /** What may share a batch: `git:<common dir>` or `llm:<provider>/<type>/<model>…`. */
  readonly group: string;
  /** What is executed one thing at a time: `git:<common dir>` or `llm:<provider>`. */
  readonly lane: string;
  readonly label: string;
  readonly source: Source;
  /** Absent where the journal was not told. */
  readonly origin?: Origin;
  readonly enqueuedAt: number;
  readonly status: OperationStatus;
  /** The batch it belongs to, once it left the queue. */
  readonly batch?: string;
  /** Orders operations within the queue of their group and, unchanged, within their batch. */
  readonly position: number;
  /** Size of the payload in UTF-8 bytes. */
  readonly bytes: number;
  readonly error?: string;
  /** A stable word for `error`, such as `nothing-to-commit`. */
  readonly reason?: string;
  readonly retryOf?: string;
  /** Small and JSON-safe: what a person sees when opening the operation. */
  readonly detail?: unknown;
}

/** An operation with what is needed to execute it: the JSON text its room wrote when accepting it. */
export interface StoredOperation extends Operation {
  readonly payload: string;
}

/** What a room hands to the journal for acceptance. */
export interface NewOperation {
  readonly id: string;
  readonly kind: OperationKind;
  readonly group: string;
  readonly lane: string;
  readonly label: string;
  readonly source: Source;
  readonly enqueuedAt: number;
  readonly payload: string;
  readonly retryOf?: string;
  readonly detail?: unknown;
  /** With `fingerprint`: the same key and fingerprint give the first operation's id, another fingerprint is refused. */
  readonly idempotencyKey?: string;
  readonly fingerprint: string;
}

export const isFinal = (status: OperationStatus): status is FinalStatus =>
  status === "succeeded" || status === "failed" || status === "cancelled" || status === "expired";

export const sideOfLane = (lane: string): SideName => (lane.startsWith("git:") ? "git" : "llm");

export const sideOf = (kind: OperationKind): SideName => (kind === "request" ? "llm" : "git");
