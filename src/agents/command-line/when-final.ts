import type * as v from "valibot";
import { AgentError } from "../agent-error.ts";
import { isOver, oneLine, operationsAnswer, understood } from "./answers.ts";
import type { AnsweredOperation } from "./answers.ts";
import { PROGRAM } from "./help.ts";
import type { Session } from "./session.ts";

/** Pauses for which another window is looked for: as long as one takes to be reloaded, on a busy machine as well. */
const PATIENCE = 120;
/** Reasons for which another window, or the same one later, may answer. */
const gone: ReadonlySet<string | undefined> = new Set(["window-lost", "no-window", "no-answer", "untrusted"]);

export const isGone = (error: AgentError): boolean => gone.has(error.data.reason);

/**
 * The operations once all are final, in the order of `ids`. Asking changes nothing, so where a window goes away, as when it
 * is reloaded, the next one is asked. Rejects with the reason `held` where something that a person has to mend stops all
 * that are not over.
 */
export async function whenFinal(
  session: Session,
  ids: readonly string[],
): Promise<readonly AnsweredOperation[]> {
  const look = patientLook(session);
  for (;;) {
    const { operations, holds = [] } = await look(() => asThey(session, { ids, wait: true }));
    const open = operations.filter((each) => !isOver(each));
    if (open.length === 0) return operations;
    if (holds.length > 0) throw held(open, holds.map(oneLine).join(" "));
    await session.pause();
  }
}

/** As they are now, also where a window has just gone away. */
export async function operationsNow(
  session: Session,
  ids: readonly string[],
): Promise<readonly AnsweredOperation[]> {
  const { operations } = await patientLook(session, PATIENCE)(() => asThey(session, { ids }));
  return operations;
}

const asThey = async (
  session: Session,
  input: { readonly ids: readonly string[]; readonly wait?: boolean },
): Promise<v.InferOutput<typeof operationsAnswer>> =>
  understood(operationsAnswer, await session.call("state", input));

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
