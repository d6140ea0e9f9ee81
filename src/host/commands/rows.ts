import * as v from "valibot";
import { parseInput } from "../../core/schema/inputs.ts";
import type { Translate } from "../l10n.ts";
import type { Moves } from "../moves.ts";
import type { Parts } from "../parts.ts";
import type { QueueNode } from "../tree/node.ts";
import { WordedError } from "../worded-error.ts";
import type { Subject } from "./caller.ts";
import { define } from "./command.ts";
import type { AnyCommand, Caller, CommandTable } from "./command.ts";
import { doEach } from "./each.ts";
import { sideOfOperation, toldOperations } from "./of-operation.ts";
import { batchesIn, operationsIn } from "./subjects.ts";

const idInput = v.strictObject({ id: v.pipe(v.string("must be an id"), v.uuid("is not an id")) });

interface RowDeps {
  readonly parts: Pick<Parts, "journal" | "git" | "llm">;
  readonly moves: Pick<Moves, "step">;
  readonly showMore: (row: QueueNode) => Promise<void>;
  readonly copy: (text: string) => Promise<void>;
  /** Says for a moment that something is done. */
  readonly hint: (message: string) => void;
  readonly t: Translate;
  /** A number as the reader's language writes it. */
  readonly count: (value: number) => string;
}

/** What only makes sense on a row of the tree. */
export function rowCommands({
  parts,
  moves,
  showMore,
  copy,
  hint,
  t,
  count,
}: RowDeps): Pick<CommandTable, "moveUp" | "moveDown" | "copyId" | "showMore"> {
  const onRows = (
    trusted: boolean,
    rows: (subject: Subject) => readonly string[],
    run: (ids: readonly string[], caller: Caller) => Promise<void>,
  ): AnyCommand<undefined> =>
    define({
      trusted,
      parse: (input): readonly string[] => [parseInput(idInput, input).id],
      ask: (subject) => {
        const ids = rows(subject);
        return ids.length > 0
          ? Promise.resolve(ids)
          : Promise.reject(
              new WordedError("no-row", t("Choose an operation or a batch in the queue first.")),
            );
      },
      run: async (ids, caller) => {
        await run(ids, caller);
        return undefined;
      },
    });
  const ofOperation = sideOfOperation(parts, t);
  const told = toldOperations(parts.journal, t, count);
  const step = async (ids: readonly string[], by: 1 | -1): Promise<void> => {
    for (const id of ids)
      if ((await parts.journal.operation(id))?.status !== "queued")
        throw new WordedError("not-queued", t("id: operation {0} is not queued.", id));
    // At either end there is nowhere to go, which is no error.
    await doEach(await moves.step(ids, by), async ({ id, to }) => (await ofOperation(id)).move(id, to), {
      ...told,
      name: ({ id }) => told.name(id),
    });
  };
  return {
    moveUp: onRows(true, operationsIn, (ids) => step(ids, -1)),
    moveDown: onRows(true, operationsIn, (ids) => step(ids, 1)),
    copyId: onRows(
      false,
      (subject) => [...operationsIn(subject), ...batchesIn(subject)],
      async (ids, caller) => {
        await copy(ids.join("\n"));
        if (caller === "person") hint(t("Ids copied: {0}", count(ids.length)));
      },
    ),
    showMore: define<readonly QueueNode[], undefined>({
      trusted: false,
      parse: () => {
        throw new WordedError(
          "no-row",
          "Only a row of the tree can show more; getOperations gives pages to code.",
        );
      },
      ask: (subject) =>
        subject.kind === "nodes"
          ? Promise.resolve(subject.nodes)
          : Promise.reject(
              new WordedError("no-row", t("Choose a row of the queue that stands for more first.")),
            ),
      run: async (rows) => {
        for (const row of rows) await showMore(row);
        return undefined;
      },
    }),
  };
}
