import { plainText } from "./plain-text.ts";

/** The git room's one error: a git process that did not do what it was asked, or a repository that does not allow it. */
export class GitError extends Error {
  /** A stable word, such as `locked`, `timeout`, `not-a-repository`. */
  readonly reason: string;
  readonly stderr: string;

  constructor(reason: string, message: string, stderr = "", options?: ErrorOptions) {
    super(plainText(message), options);
    this.name = "GitError";
    this.reason = reason;
    this.stderr = stderr;
  }
}

/** Why one operation failed: what its result and its detail will say. */
export interface Failure {
  readonly reason: string;
  readonly error: string;
  /** Joins the operation's detail: files, output, the opponent. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

export function failureOf(error: unknown): Failure {
  if (error instanceof GitError) return { reason: error.reason, error: error.message };
  return { reason: "git-failed", error: error instanceof Error ? error.message : String(error) };
}
