import { agentError, AgentError } from "../agent-error.ts";
import type { SideName } from "../../core/operation.ts";
import { cameOf, failureOf, isOver, queuedGit, queuedRequests, understood } from "./answers.ts";
import type { Outcome } from "./command.ts";
import { PROGRAM } from "./help.ts";
import { STOPPED } from "./session.ts";
import type { Session } from "./session.ts";
import { isGone, operationsNow, whenFinal } from "./when-final.ts";

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
  const { ids, statuses = ["queued"] } = understood(queuedRequests, answer);
  return outcomeOf(session, { id: ids[0], status: statuses[0] }, "llm", wait);
}

interface Accepted {
  readonly id: string;
  readonly status: string;
}

async function outcomeOf(
  session: Session,
  accepted: Accepted,
  side: SideName,
  wait: boolean | undefined,
): Promise<Outcome> {
  const { id, status } = accepted;
  // Its key was used before, so that nothing more will happen.
  const unless = isOver(accepted) && status !== "succeeded" ? " Use a new key to ask again." : undefined;
  if (!wait) {
    const told = { data: { id, status }, text: `${status}  ${id}` };
    if (unless === undefined) return told;
    return { ...told, failure: { message: `${id} is ${status} already.${unless}`, reason: status } };
  }
  try {
    if (!isOver(accepted)) await flushed(session, id, side);
    const operations = await whenFinal(session, [id]);
    const [operation] = operations;
    if (!operation) throw agentError("bad-answer", "The window knows nothing of it.");
    const failure = failureOf(operations);
    return {
      data: { id, status: operation.status, operation },
      text: failure ? "" : cameOf(operation),
      ...(failure ? { failure: { ...failure, message: sentences(failure.message, unless) } } : {}),
    };
  } catch (error) {
    if (!(error instanceof AgentError) || error.data.accepted !== undefined) throw error;
    // It was accepted, and whoever asked must know under which id it goes on.
    const why = isGone(error)
      ? `No trusted window of VS Code answers now. Once one does, "${PROGRAM} wait ${id}" tells what came of it.`
      : error.data.message;
    throw new AgentError({ ...error.data, message: `${id} is ${status}. ${why}`, accepted: id });
  }
}

const sentences = (first: string, more = ""): string =>
  more === "" ? first : `${/[.!?]$/.test(first) ? first : `${first}.`}${more}`;

/** Has what is queued executed. A refusal counts only while the operation is queued: another flush may have taken it along. */
async function flushed(session: Session, id: string, side: SideName): Promise<void> {
  try {
    await session.call("flush", { kind: side });
  } catch (error) {
    if (!(error instanceof AgentError) || error.data.reason === STOPPED) throw error;
    if (isGone(error) && error.data.reason !== "window-lost") throw error;
    const [operation] = await operationsNow(session, [id]);
    if (operation?.status === "queued") throw error;
  }
}
