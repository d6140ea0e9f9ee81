/** What a window said of a refusal, as it travels. */
export interface ErrorData {
  readonly message: string;
  /** The kind of error in the window, such as `InputError`. */
  readonly name: string;
  /** The field of the input that can be mended. */
  readonly field?: string | undefined;
  /** A stable word. */
  readonly reason?: string | undefined;
  /** The id of what was accepted before this happened, and goes on. */
  readonly accepted?: string | undefined;
}

/**
 * Why a window did not do what it was asked for. Its own refusals keep their name, field and reason. Reasons from here:
 * `no-window`, `no-answer` (one runs, but hangs), `untrusted` (no window that may do anything is open), `window-lost` (it
 * went away before it answered), `bad-answer` (it answered what is not understood here), `held` (what was accepted cannot
 * go on until somebody mends something) and `interrupted` (somebody had enough of waiting).
 */
export class AgentError extends Error {
  readonly data: ErrorData;

  constructor(data: ErrorData) {
    super(data.message);
    this.name = "AgentError";
    this.data = data;
  }
}

export const agentError = (reason: string, message: string): AgentError =>
  new AgentError({ name: "AgentError", message, reason });
