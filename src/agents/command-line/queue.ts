import { agentError, AgentError } from "../agent-error.ts";
import type { SideName } from "../../core/operation.ts";
import { cameOf, failureOf, queuedGit, queuedRequests, understood } from "./answers.ts";
import type { Outcome } from "./command.ts";
import type { Session } from "./session.ts";
import { whenFinal } from "./when-final.ts";

/** What commands that queue something take. */
export const queueOptions = {
  key: { type: "string" },
  wait: { type: "boolean" },
} as const;
/** The lines about `queueOptions` in a help text. */
export const queueHelp = `  --wait          flush, and end only when it is done; 0 only if it succeeded
  --key <key>     asking again under the same key queues nothing twice`;

/** Drops what was not given, since a window takes no field without a value. */
export const given = (input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));

export async function queueGit(
  session: Session,
  input: Readonly<Record<string, unknown>>,
  wait: boolean | undefined,
): Promise<Outcome> {
  const accepted = understood(queuedGit, await session.call("enqueueGit", given(input)));
  return outcomeOf(session, accepted, "git", wait);
}

export async function queueRequest(
  session: Session,
  input: Readonly<Record<string, unknown>>,
  wait: boolean | undefined,
): Promise<Outcome> {
  const answer = await session.call("enqueueRequests", { requests: [given(input)] });
  const { ids } = understood(queuedRequests, answer);
  return outcomeOf(session, { id: ids[0], status: "queued" }, "llm", wait);
}

interface Accepted {
  readonly id: string;
  readonly status: string;
}

async function outcomeOf(
  session: Session,
  { id, status }: Accepted,
  side: SideName,
  wait: boolean | undefined,
): Promise<Outcome> {
  if (!wait) return { data: { id, status }, text: `${status}  ${id}` };
  try {
    await session.call("flush", { kind: side });
    const operations = await whenFinal(session, [id]);
    const [operation] = operations;
    if (!operation) throw agentError("bad-answer", "The window knows nothing of it.");
    const failure = failureOf(operations);
    return {
      data: { id, status: operation.status, operation },
      text: failure ? "" : cameOf(operation),
      ...(failure ? { failure } : {}),
    };
  } catch (error) {
    if (!(error instanceof AgentError)) throw error;
    // It was accepted, and whoever asked must know under which id it goes on.
    throw new AgentError({ ...error.data, message: `${id} is ${status}. ${error.message}`, accepted: id });
  }
}
