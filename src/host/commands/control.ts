import type { SideName } from "../../core/operation.ts";
import { planFlush } from "../flush-plan.ts";
import type { FlushPlan } from "../flush-plan.ts";
import type { Translate } from "../l10n.ts";
import type { Parts } from "../parts.ts";
import { waitingCount } from "../status-bar-model.ts";
import type { Subject } from "./caller.ts";
import { define } from "./command.ts";
import type { AnyCommand, Caller, CommandTable, FlushAnswer } from "./command.ts";
import { parseFlush, parseKind, parseNothing, sidesOf } from "./flush.ts";
import type { Flusher, FlushInput, KindInput } from "./flush.ts";
import { NothingToDo } from "./nothing-to-do.ts";

interface ControlDeps {
  readonly flusher: Flusher;
  readonly nothingToFlush: () => void;
  readonly showPlan: (sides: readonly SideName[], plan: FlushPlan) => Promise<void>;
  /** Asks a person; rejects with `Cancelled` where they do not agree. */
  readonly confirm: (question: string, agree: string) => Promise<void>;
  readonly t: Translate;
  /** A number as the reader's language writes it. */
  readonly count: (value: number) => string;
}

/** What acts on a whole side or both. */
export function controlCommands(
  parts: Pick<Parts, "git" | "llm" | "journal" | "preview" | "state">,
  { flusher, nothingToFlush, showPlan, confirm, t, count }: ControlDeps,
): Pick<CommandTable, "flush" | "flushRequests" | "previewFlush" | "pause" | "resume" | "clear"> {
  // Whoever asks to go on may have mended what stopped it; if not, the hold is back with the next attempt.
  const lift = async (sides: readonly SideName[]): Promise<void> => {
    for (const side of sides) await parts.journal.clearHolds(side);
  };
  const onSides = (
    trusted: boolean,
    verb: "pause" | "resume" | "clear",
    agreed: (input: KindInput) => Promise<void> = () => Promise.resolve(),
  ): AnyCommand<undefined> =>
    define({
      trusted,
      parse: parseKind,
      ask: async (subject) => {
        const input = kindOf(subject);
        await agreed(input);
        return input;
      },
      run: async (input) => {
        if (verb === "resume") await lift(sidesOf(input));
        for (const side of sidesOf(input)) await parts[side][verb]();
        return undefined;
      },
    });
  /** There is no way back for all of it at once. */
  const mayClear = async (input: KindInput): Promise<void> => {
    await parts.state.refresh();
    const waiting = waitingCount(parts.state.current(), sidesOf(input));
    if (waiting === 0) throw new NothingToDo(t("Nothing is waiting, so there is nothing to cancel."));
    await confirm(
      t(
        "Waiting operations: {0}. Cancel all of them? What is cancelled can only be retried one by one.",
        count(waiting),
      ),
      t("Empty the Queue"),
    );
  };
  const flush = async (input: FlushInput, caller: Caller): Promise<FlushAnswer> => {
    const answer = await flusher.flush(input, caller);
    if (caller === "person" && answer.batches.length === 0) nothingToFlush();
    return answer;
  };
  return {
    flush: define({
      trusted: true,
      parse: parseFlush,
      ask: (subject) => Promise.resolve(kindOf(subject)),
      run: flush,
    }),
    flushRequests: define({
      trusted: true,
      parse: parseNothing,
      ask: () => Promise.resolve({}),
      run: (_input, caller) => flush({ kind: "llm" }, caller),
    }),
    previewFlush: define({
      // Merge drivers and filters of the repository run.
      trusted: true,
      parse: parseKind,
      ask: (subject) => Promise.resolve(kindOf(subject)),
      run: async (input, caller) => {
        const sides = sidesOf(input);
        const plan = await planFlush(parts, sides);
        if (caller === "person") await showPlan(sides, plan);
        return plan;
      },
    }),
    pause: onSides(false, "pause"),
    // Elsewhere it may start what waits.
    resume: onSides(true, "resume"),
    clear: onSides(true, "clear", mayClear),
  };
}

/** The side of the row that was pointed at; both where none was. */
function kindOf(subject: Subject): KindInput {
  const [node] = subject.kind === "nodes" ? subject.nodes : [];
  return node ? { kind: node.ref.side } : {};
}
