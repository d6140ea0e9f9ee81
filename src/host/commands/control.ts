import type { SideName } from "../../core/operation.ts";
import type { Parts } from "../parts.ts";
import type { Subject } from "./caller.ts";
import { define } from "./command.ts";
import type { AnyCommand, CommandTable } from "./command.ts";
import { parseFlush, parseKind, sidesOf } from "./flush.ts";
import type { Flusher, KindInput } from "./flush.ts";

/** What acts on a whole side or both. */
export function controlCommands(
  parts: Pick<Parts, "git" | "llm" | "journal">,
  flusher: Flusher,
  nothingToFlush: () => void,
): Pick<CommandTable, "flush" | "pause" | "resume" | "clear"> {
  // Whoever asks to go on may have mended what stopped it; if not, the hold is back with the next attempt.
  const lift = async (sides: readonly SideName[]): Promise<void> => {
    for (const side of sides) await parts.journal.clearHolds(side);
  };
  const onSides = (trusted: boolean, verb: "pause" | "resume" | "clear"): AnyCommand<undefined> =>
    define({
      trusted,
      parse: parseKind,
      ask: (subject) => Promise.resolve(kindOf(subject)),
      run: async (input) => {
        if (verb === "resume") await lift(sidesOf(input));
        for (const side of sidesOf(input)) await parts[side][verb]();
        return undefined;
      },
    });
  return {
    flush: define({
      trusted: true,
      parse: parseFlush,
      ask: (subject) => Promise.resolve(kindOf(subject)),
      run: async (input, caller) => {
        const answer = await flusher.flush(input);
        if (caller === "person" && answer.batches.length === 0) nothingToFlush();
        return answer;
      },
    }),
    pause: onSides(false, "pause"),
    resume: onSides(false, "resume"),
    clear: onSides(true, "clear"),
  };
}

/** The side of the row that was pointed at; both where none was. */
function kindOf(subject: Subject): KindInput {
  const [node] = subject.kind === "nodes" ? subject.nodes : [];
  return node ? { kind: node.ref.side } : {};
}
