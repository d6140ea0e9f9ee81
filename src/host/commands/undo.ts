import type { StateError } from "../../core/errors.ts";
import { operationView } from "../../core/view.ts";
import type { Batch } from "../../core/batch.ts";
import type { Translate } from "../l10n.ts";
import type { Parts, UndoReport } from "../parts.ts";
import type { Pickers } from "../ui/pickers.ts";
import { mayUndo, undoneNames } from "../undoable.ts";
import { statusName } from "../words.ts";
import { WordedError } from "../worded-error.ts";
import type { Subject } from "./caller.ts";
import { define } from "./command.ts";
import type { CommandTable } from "./command.ts";
import { NothingToDo } from "./nothing-to-do.ts";
import { batchesIn, parseId } from "./subjects.ts";

const PAGE = 1000;

/** Puts back what a finished batch of git operations moved; a person is asked first. */
export function undoCommand(
  parts: Pick<Parts, "journal" | "undo">,
  pickers: Pick<Pickers, "batch" | "agreeToUndo" | "tellUndone">,
  t: Translate,
): Pick<CommandTable, "undoBatch"> {
  const finished = async (id: string): Promise<Batch & { readonly endedAt: number }> => {
    const batch = await parts.journal.batch(id);
    if (!batch) throw new WordedError("not-found", t("id: there is no batch {0}.", id));
    if (batch.side !== "git")
      throw new WordedError("not-git", t("id: only a batch of git operations can be undone."));
    const { endedAt } = batch;
    if (endedAt === undefined) throw notFinal(batch, t);
    return { ...batch, endedAt };
  };
  const undo = async (id: string): Promise<UndoReport> => {
    const report = await parts.undo(await finished(id));
    // What runs in the repository moves the very branches that would be put back.
    if (!report)
      throw new WordedError(
        "busy",
        t("id: another batch of this repository is executing; undo once it has ended."),
      );
    return report;
  };
  const chosen = async (subject: Subject): Promise<string> => {
    const [pointedAt] = batchesIn(subject);
    if (pointedAt !== undefined) return pointedAt;
    const none = t("There is no batch of git operations that could be undone.");
    const names = ({ operations }: Parameters<typeof mayUndo>[0]): readonly string[] =>
      undoneNames(operations);
    return (await pickers.batch(mayUndo, none, t("Undo Batch"), names))[0];
  };
  return {
    undoBatch: define({
      trusted: true,
      parse: (input) => parseId(input),
      ask: async (subject) => {
        const id = await chosen(subject);
        const batch = await finished(id);
        const operations = await parts.journal.operations({ batch: id, limit: PAGE });
        const names = undoneNames(operations.map(operationView));
        if (names.length === 0)
          throw new NothingToDo(
            t("Nothing of this batch can be put back: it has made no commit and no merge."),
          );
        await pickers.agreeToUndo(batch, names);
        return id;
      },
      run: async (batch, caller) => {
        const report = await undo(batch);
        if (caller === "person") pickers.tellUndone(report);
        return report;
      },
    }),
  };
}

const notFinal = ({ status }: Batch, t: Translate): StateError =>
  new WordedError(
    "not-final",
    t("id: the batch is {0}; wait for its end or cancel it first.", statusName(status, t)),
  );
