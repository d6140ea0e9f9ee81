import { sideOf } from "../../core/operation.ts";
import { operationView } from "../../core/view.ts";
import type { Translate } from "../l10n.ts";
import type { Parts } from "../parts.ts";
import { queuedWhere } from "../queued.ts";
import { placeOf } from "../tree/structure.ts";
import type { Pickers } from "../ui/pickers.ts";
import { WordedError } from "../worded-error.ts";
import { cancelOperations } from "./cancel.ts";
import { define } from "./command.ts";
import type { CommandTable } from "./command.ts";
import { NothingToDo } from "./nothing-to-do.ts";
import { sideOfOperation, toldOperations } from "./of-operation.ts";
import { placesIn } from "./subjects.ts";

/** What is done to everything that is queued in one worktree, or for one group of requests; a person is asked first. */
export function placeCommands(
  parts: Pick<Parts, "journal" | "git" | "llm">,
  pickers: Pick<Pickers, "agreeToCancel">,
  t: Translate,
  count: (value: number) => string,
): Pick<CommandTable, "cancelPlace"> {
  return {
    cancelPlace: define<readonly string[], undefined>({
      trusted: true,
      parse: () => {
        throw new WordedError(
          "no-row",
          "Only a row of the tree can be cancelled as a whole; clear and cancelOperation are for code.",
        );
      },
      ask: async (subject) => {
        const places = placesIn(subject);
        if (places.length === 0)
          throw new WordedError("no-row", t("Choose a worktree or a group in the queue first."));
        const queued = await queuedWhere(parts.journal, (operation) =>
          places.some(
            ({ side, place }) =>
              sideOf(operation.kind) === side && placeOf(operationView(operation)) === place,
          ),
        );
        if (queued.length === 0) throw new NothingToDo(t("Nothing is queued here any more."));
        await pickers.agreeToCancel(queued.length);
        return queued.map(({ id }) => id);
      },
      run: async (ids) => {
        await cancelOperations(
          ids,
          parts,
          sideOfOperation(parts, t),
          toldOperations(parts.journal, t, count),
        );
        return undefined;
      },
    }),
  };
}
