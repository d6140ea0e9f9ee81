/**
 * A refusal of an input: the caller can mend `field`. Nothing was queued or changed.
 * The message names the field and what to do.
 */
export class InputError extends Error {
  readonly field: string;
  readonly reason: string;

  constructor(field: string, message: string, reason = "invalid-input") {
    super(`${field}: ${message}`);
    this.name = "InputError";
    this.field = field;
    this.reason = reason;
  }
}

/** A request that the present state does not allow, such as cancelling what has started. `reason` is a stable word. */
export class StateError extends Error {
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.name = "StateError";
    this.reason = reason;
  }
}

/** Another window leads this lane now; whoever meets this stops at once and touches nothing more. */
export class FencedError extends Error {
  constructor(lane: string) {
    super(`Another window has taken over ${lane}.`);
    this.name = "FencedError";
  }
}

/** The journal cannot be written (full disk, read-only folder, locked). What was accepted before is intact. */
export class JournalError extends Error {
  readonly reason: "full" | "read-only" | "locked" | "damaged" | "unavailable";

  constructor(reason: JournalError["reason"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "JournalError";
    this.reason = reason;
  }
}
