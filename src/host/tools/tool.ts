import type { Caller } from "../commands/command.ts";

/** Who calls a tool: a language model in the editor, the command line, or an MCP client. */
export type Agent = Extract<Caller, "tool" | "cli" | "mcp">;

/** What a person is told before a tool runs, as Markdown. */
export interface Prepared {
  readonly message: string;
  /** Asked first, since something would change. */
  readonly question?: { readonly title: string; readonly text: string };
}

/** One tool that agents call. */
export interface Tool {
  /** Changes nothing and never throws, whatever the input is. */
  prepare(input: unknown): Prepared;
  /** Answers plain data. Rejects with an error whose message says what to do; an abort ends only the waiting. */
  run(input: unknown, agent: Agent, signal: AbortSignal): Promise<unknown>;
}

/** The input's fields, where it has any. */
export const fieldsOf = (input: unknown): Readonly<Record<string, unknown>> =>
  typeof input === "object" && input !== null ? (input as Record<string, unknown>) : {};

/** What comes first: the answer, or the reason of the abort. */
export function unlessAborted<Answer>(answer: Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  if (signal.aborted) return Promise.reject(reasonOf(signal));
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(reasonOf(signal));
    signal.addEventListener("abort", onAbort, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

const reasonOf = ({ reason }: AbortSignal): Error =>
  reason instanceof Error ? reason : new Error("It is no longer waited for.");
