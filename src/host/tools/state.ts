import * as v from "valibot";
import { InputError } from "../../core/errors.ts";
import type { Result } from "../../core/result.ts";
import { parseInput } from "../../core/schema/inputs.ts";
import type { OperationView, Snapshot } from "../../core/snapshot.ts";
import { operationView } from "../../core/view.ts";
import { Cancelled } from "../commands/cancelled.ts";
import { define } from "../commands/command.ts";
import type { Parts } from "../parts.ts";
import { shortState } from "./short-state.ts";
import type { Tool } from "./tool.ts";
import type { RunTool } from "./table.ts";
import { whenOver } from "./waiting.ts";
import type { WaitDeps } from "./waiting.ts";

const MAX_IDS = 100;
const stateInput = v.strictObject({
  ids: v.optional(
    v.pipe(
      v.array(v.pipe(v.string("must be an id"), v.uuid("is not an id")), "must be a list of ids"),
      v.nonEmpty("is empty; name an operation, or leave it out"),
      v.maxLength(MAX_IDS, `names more than ${MAX_IDS} operations; ask in several calls`),
    ),
  ),
  wait: v.optional(v.boolean("must be true or false")),
});
type StateInput = v.InferOutput<typeof stateInput>;

/** An operation with its result, once it has one. */
interface Told extends OperationView {
  readonly result?: Result;
}

/** Only looks, so trust is not asked for. `holds`: what stops those that it no longer waits for. */
export function stateTool(deps: WaitDeps & { readonly snapshot: () => Snapshot }, runTool: RunTool): Tool {
  const { parts, snapshot, t } = deps;
  const command = (signal: AbortSignal) =>
    define({
      trusted: false,
      parse: parseState,
      ask: () => Promise.reject(new Cancelled()),
      run: async ({ ids, wait }: StateInput) => {
        await parts.state.refresh();
        if (ids === undefined) return shortState(snapshot());
        const holds = wait ? await whenOver(ids, deps, signal) : [];
        const operations: Told[] = [];
        for (const [place, id] of ids.entries()) operations.push(await told(parts.journal, id, place));
        return { operations, ...(holds.length > 0 ? { holds } : {}) };
      },
    });
  return {
    prepare: () => ({ message: t("Reading the queue") }),
    run: (input, agent, signal) => runTool("state", command(signal), input, agent),
  };
}

function parseState(input: unknown): StateInput {
  const parsed = parseInput(stateInput, input);
  if (parsed.wait && parsed.ids === undefined)
    throw new InputError("wait", "goes with ids only; name the operations to wait for");
  return parsed;
}

async function told(
  journal: Pick<Parts["journal"], "operation" | "result">,
  id: string,
  place: number,
): Promise<Told> {
  const stored = await journal.operation(id);
  if (!stored) throw new InputError(`ids.${place}`, `There is no operation ${id}.`, "not-found");
  const result = await journal.result(id);
  return { ...operationView(stored), ...(result ? { result: withoutTwice(result) } : {}) };
}

/** The provider's message holds the text once more. */
function withoutTwice(result: Result): Result {
  if (result.text === undefined) return result;
  const { message: _again, ...rest } = result;
  return rest;
}
