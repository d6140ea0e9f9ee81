import { AgentError } from "../agent-error.ts";
import { operationsAnswer, understood } from "./answers.ts";
import type { AnsweredOperation } from "./answers.ts";
import type { Session } from "./session.ts";

/** Pauses for which another window is looked for: as long as one takes to be reloaded, on a busy machine as well. */
const PATIENCE = 120;

/**
 * The operations once all are final, in the order of `ids`. Asking changes nothing, so where a window goes away, as when it
 * is reloaded, the next one is asked.
 */
export async function whenFinal(
  session: Session,
  ids: readonly string[],
): Promise<readonly AnsweredOperation[]> {
  let patience = 0;
  for (;;) {
    try {
      return understood(operationsAnswer, await session.call("state", { ids, wait: true })).operations;
    } catch (error) {
      if (!(error instanceof AgentError)) throw error;
      if (error.data.reason === "window-lost") patience = PATIENCE;
      else if (error.data.reason !== "no-window") throw error;
      if (patience-- <= 0) throw error;
      await session.pause();
    }
  }
}
