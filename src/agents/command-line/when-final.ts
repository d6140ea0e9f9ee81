import { AgentError } from "../agent-error.ts";
import { isOver, operationsAnswer, stateAnswer, understood } from "./answers.ts";
import type { AnsweredOperation } from "./answers.ts";
import { explained, stops } from "./holds.ts";
import { PROGRAM } from "./help.ts";
import type { Session } from "./session.ts";

/** Pauses for which another window is looked for: as long as one takes to be reloaded, on a busy machine as well. */
const PATIENCE = 120;
/** After this, what may have stopped the operations meanwhile is looked at. */
const LOOK_MS = 2_000;
/** Reasons for which another window, or the same one later, may answer. */
const gone: ReadonlySet<string | undefined> = new Set(["window-lost", "no-window", "no-answer", "untrusted"]);

export const isGone = (error: AgentError): boolean => gone.has(error.data.reason);

/**
 * The operations once all are final, in the order of `ids`. Asking changes nothing, so where a window goes away, as when it
 * is reloaded, the next one is asked. Rejects with the reason `held` where a hold that does not end by itself stops all that
 * are not over.
 */
export async function whenFinal(
  session: Session,
  ids: readonly string[],
): Promise<readonly AnsweredOperation[]> {
  const look = patientLook(session);
  for (;;) {
    const operations = await look(() => asThey(session, ids));
    const open = operations.filter((each) => !isOver(each));
    if (open.length === 0) return operations;
    if (open.every(({ status }) => status !== "executing")) {
      const { holds } = await look(async () => understood(stateAnswer, await session.call("state", {})));
      const stopping = open.map((operation) => holds.find((hold) => stops(hold, operation)));
      const [first] = stopping;
      if (first && stopping.every((hold) => hold !== undefined)) throw held(open, explained(first));
    }
    await look(() => session.callWithin("state", { ids, wait: true }, LOOK_MS));
  }
}

/** As they are now, also where a window has just gone away. */
export async function operationsNow(
  session: Session,
  ids: readonly string[],
): Promise<readonly AnsweredOperation[]> {
  return patientLook(session, PATIENCE)(() => asThey(session, ids));
}

const asThey = async (session: Session, ids: readonly string[]): Promise<readonly AnsweredOperation[]> =>
  understood(operationsAnswer, await session.call("state", { ids })).operations;

/** Asks again for a while where a window that was there goes away. `patience`: for how many pauses at first. */
function patientLook(session: Session, patience = 0) {
  let left = patience;
  return async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    for (;;) {
      try {
        const answer = await ask();
        left = PATIENCE;
        return answer;
      } catch (error) {
        if (!(error instanceof AgentError) || !isGone(error)) throw error;
        if (error.data.reason === "window-lost") left = PATIENCE;
        if (left-- <= 0) throw error;
        await session.pause();
      }
    }
  };
}

function held(open: readonly AnsweredOperation[], why: string): AgentError {
  const ids = open.map(({ id }) => id);
  const [first, ...more] = ids;
  const is = more.length > 0 ? "are" : "is";
  const message = `${ids.join(", ")} ${is} accepted, but held. ${why} Then ask "${PROGRAM} wait ${ids.join(" ")}".`;
  return new AgentError({
    name: "AgentError",
    message,
    reason: "held",
    ...(more.length > 0 ? {} : { accepted: first }),
  });
}
