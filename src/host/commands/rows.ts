import * as v from "valibot";
import { parseInput } from "../../core/schema/inputs.ts";
import type { Snapshot } from "../../core/snapshot.ts";
import type { Translate } from "../l10n.ts";
import type { Parts } from "../parts.ts";
import type { QueueNode } from "../tree/node.ts";
import { placeInQueue } from "../tree/structure.ts";
import type { Subject } from "./caller.ts";
import { define } from "./command.ts";
import type { AnyCommand, CommandTable } from "./command.ts";
import { WordedError } from "../worded-error.ts";

const idInput = v.strictObject({ id: v.pipe(v.string("must be an id"), v.uuid("is not an id")) });
const sides = ["git", "llm"] as const;

interface RowDeps {
  readonly parts: Pick<Parts, "git" | "llm">;
  readonly snapshot: () => Snapshot;
  readonly showMore: (row: QueueNode) => Promise<void>;
  readonly copy: (text: string) => Promise<void>;
  readonly t: Translate;
}

/** What only makes sense on a row of the tree. */
export function rowCommands({
  parts,
  snapshot,
  showMore,
  copy,
  t,
}: RowDeps): Pick<CommandTable, "moveUp" | "moveDown" | "copyId" | "showMore"> {
  const onRow = (trusted: boolean, run: (id: string) => Promise<void>): AnyCommand<undefined> =>
    define({
      trusted,
      parse: (input) => parseInput(idInput, input),
      ask: (subject) => Promise.resolve({ id: rowId(subject, t) }),
      run: async ({ id }) => {
        await run(id);
        return undefined;
      },
    });
  const step = async (id: string, by: 1 | -1): Promise<void> => {
    for (const side of sides) {
      const place = placeInQueue(snapshot()[side], id);
      if (!place) continue;
      const to = place.index + by;
      // At either end there is nowhere to go, which is no error.
      if (to >= 0 && to <= place.last) await parts[side].move(id, to);
      return;
    }
    throw new WordedError("not-queued", t("id: operation {0} is not queued.", id));
  };
  return {
    moveUp: onRow(true, (id) => step(id, -1)),
    moveDown: onRow(true, (id) => step(id, 1)),
    copyId: onRow(false, copy),
    showMore: define<readonly QueueNode[], undefined>({
      trusted: false,
      parse: () => {
        throw new WordedError(
          "no-row",
          "Only a row of the tree can show more; getOperations gives pages to code.",
        );
      },
      ask: (subject) => Promise.resolve(subject.kind === "nodes" ? subject.nodes : []),
      run: async (rows) => {
        for (const row of rows) await showMore(row);
        return undefined;
      },
    }),
  };
}

function rowId(subject: Subject, t: Translate): string {
  const [node] = subject.kind === "nodes" ? subject.nodes : [];
  if (node?.ref.kind === "operation") return node.ref.operation;
  if (node?.ref.kind === "batch") return node.ref.batch;
  throw new WordedError("no-row", t("Choose an operation or a batch in the queue first."));
}
