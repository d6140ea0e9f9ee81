import { InputError } from "../../core/errors.ts";
import { isFinal } from "../../core/operation.ts";
import type { StoredOperation } from "../../core/operation.ts";
import { stopsLane } from "../../core/snapshot.ts";
import { holdText } from "../hold-words.ts";
import type { Translate } from "../l10n.ts";
import type { Parts } from "../parts.ts";
import { unlessAborted } from "./tool.ts";

/** How long at most until it is looked again: that a window closes changes nothing in the journal. */
const LOOK_MS = 5_000;

export interface WaitDeps {
  readonly parts: Pick<Parts, "journal" | "state">;
  /** Why no open window may execute the lane; `undefined` where one may. */
  readonly refusal: (lane: string) => Promise<string | undefined>;
  readonly t: Translate;
}

/**
 * Waits until all of these operations are final, or stopped by something that a person has to mend: nobody may ever do that.
 * Answers what stops them, nothing where all are final. Rejects with `InputError` where there is no such operation.
 */
export async function whenOver(
  ids: readonly string[],
  deps: WaitDeps,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const over = new Set<string>();
  for (;;) {
    const change = nextChange(deps.parts.state);
    try {
      const stops = await whatStops(ids, over, deps);
      if (stops) return stops;
      await unlessAborted(change.arrived, signal);
    } finally {
      change.dispose();
    }
    await deps.parts.state.refresh();
  }
}

/** `undefined`: something of it goes on. */
async function whatStops(
  ids: readonly string[],
  over: Set<string>,
  deps: WaitDeps,
): Promise<readonly string[] | undefined> {
  const stops = new Set<string>();
  for (const [place, id] of ids.entries()) {
    if (over.has(id)) continue;
    const operation = await deps.parts.journal.operation(id);
    if (!operation) throw new InputError(`ids.${place}`, `There is no operation ${id}.`, "not-found");
    if (isFinal(operation.status)) over.add(id);
    else {
      const stop = await stopOf(operation, deps);
      if (stop === undefined) return undefined;
      stops.add(stop);
    }
  }
  return [...stops];
}

async function stopOf(
  { lane, status }: StoredOperation,
  { parts, refusal, t }: WaitDeps,
): Promise<string | undefined> {
  // One that ends by itself, as after too many requests, is waited for.
  const hold = parts.state
    .current()
    .holds.find((each) => stopsLane(each, lane) && each.until === undefined && status !== "executing");
  return hold ? holdText(hold, t) : refusal(lane);
}

function nextChange(state: Parts["state"]): { readonly arrived: Promise<void>; dispose(): void } {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const subscription = state.onDidChange(() => resolve(undefined));
  const timer = setTimeout(resolve, LOOK_MS, undefined);
  return {
    arrived: promise,
    dispose: () => {
      subscription.dispose();
      clearTimeout(timer);
    },
  };
}
