import type { NewOperation, OperationKind, Source, StoredOperation } from "./operation.ts";

/** What a room made of an input: checked, pinned, ready to be written down. */
export interface Draft {
  readonly kind: OperationKind;
  readonly group: string;
  readonly lane: string;
  readonly label: string;
  /** JSON-safe. */
  readonly payload: unknown;
  readonly detail?: unknown;
  readonly idempotencyKey?: string;
  /** The same for the same content; compared under one idempotency key. */
  readonly fingerprint: string;
  /** Does not wait in the queue: its group is sealed at once. */
  readonly immediate?: boolean;
}

export interface AcceptContext {
  /** The operation's id, known before its content is pinned under it. */
  readonly id: string;
  readonly source: Source;
  /** From code: nobody can be asked, so what would be asked is refused. */
  readonly interactive: boolean;
}

/** How a room turns inputs into operations. Rejects with `InputError`. */
export interface Acceptor<Input> {
  accept(input: Input, context: AcceptContext): Promise<Draft>;
  /** The same again under a new id, pinned content included; with `patch`, the fields of the input that change. */
  again(
    operation: StoredOperation,
    context: AcceptContext,
    patch?: Readonly<Record<string, unknown>>,
  ): Promise<Draft>;
  /** The input that an operation was made of, with the fields that `again` can change. */
  inputOf(operation: StoredOperation): Readonly<Record<string, unknown>>;
  /** Refuses a move within the queue that would change what the operations mean. */
  mayMove?(operation: StoredOperation, over: readonly StoredOperation[]): string | undefined;
  /** Lets go of what was pinned for operations that will not be executed. Never rejects. */
  discard(operations: readonly Pick<NewOperation, "id" | "payload">[]): Promise<void>;
}
