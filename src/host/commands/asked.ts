import type { Source } from "../../core/operation.ts";
import type { Caller } from "./command.ts";

/** Who enqueues, in the words of the batchers. */
export const asked = (caller: Caller): { source: Source; interactive: boolean } => ({
  source: caller === "code" ? "extension" : caller,
  interactive: caller === "person",
});
