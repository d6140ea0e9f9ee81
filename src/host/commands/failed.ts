import * as v from "valibot";
import type { SideName } from "../../core/operation.ts";
import { parseInput } from "../../core/schema/inputs.ts";
import type { Translate } from "../l10n.ts";
import { define } from "./command.ts";
import type { CommandTable } from "./command.ts";
import { parseKind, sidesOf } from "./flush.ts";
import { NothingToDo } from "./nothing-to-do.ts";
import type { RetryBatches } from "./retry.ts";
import { batchesIn, sideIn } from "./subjects.ts";

const dismissInput = v.strictObject({
  id: v.optional(v.pipe(v.string("must be the id of a batch"), v.uuid("is not an id"))),
});

interface FailedDeps {
  /** Batches with a failure that stand on top of the tree, of these sides. */
  readonly onTop: (sides: readonly SideName[]) => readonly string[];
  readonly dismiss: (batches: readonly string[]) => void;
  readonly retryBatches: RetryBatches;
  readonly t: Translate;
}

/** What is done to the batches that stand on top of the tree because something in them failed. */
export function failedCommands({
  onTop,
  dismiss,
  retryBatches,
  t,
}: FailedDeps): Pick<CommandTable, "dismissFailed" | "retryFailed"> {
  const some = (batches: readonly string[]): readonly string[] => {
    if (batches.length === 0) throw new NothingToDo(t("Nothing that failed stands on top of the queue."));
    return batches;
  };
  return {
    dismissFailed: define({
      trusted: false,
      parse: (input): readonly string[] => {
        const { id } = parseInput(dismissInput, input);
        return id === undefined ? onTop(["git", "llm"]) : [id];
      },
      ask: (subject) => {
        const kind = sideIn(subject);
        const chosen = batchesIn(subject);
        return Promise.resolve(chosen.length > 0 ? chosen : onTop(sidesOf(kind ? { kind } : {})));
      },
      run: (batches, caller) => {
        dismiss(caller === "person" ? some(batches) : batches);
        return Promise.resolve(undefined);
      },
    }),
    retryFailed: define({
      trusted: true,
      parse: parseKind,
      ask: (subject) => {
        const kind = sideIn(subject);
        return Promise.resolve(kind ? { kind } : {});
      },
      run: async (input, caller) => {
        const batches = onTop(sidesOf(input));
        return { ids: await retryBatches(caller === "person" ? some(batches) : batches, caller) };
      },
    }),
  };
}
