import type { GroupQueue } from "../core/journal.ts";
import type { SideName } from "../core/operation.ts";
import { stopsLane } from "../core/snapshot.ts";
import type { Snapshot } from "../core/snapshot.ts";
import { due } from "../core/triggers.ts";
import type { TriggerSettings } from "../core/triggers.ts";
import type { Translate } from "./l10n.ts";
import type { Numbers } from "./numbers.ts";

/** When what is queued on one side flushes by itself. `size`: how many of one group set it off; `waiting`: of the fullest group. */
export type NextFlush =
  | { readonly kind: "nothing" | "paused" | "held" | "off" | "after-executing" | "now" }
  /** `at`: milliseconds since 1970. */
  | { readonly kind: "at"; readonly at: number; readonly size: number; readonly waiting: number }
  /** Only people queued, so no age counts. */
  | { readonly kind: "size"; readonly size: number; readonly waiting: number };

/** By the same rules as the batchers. `queues`: of this side. */
export function nextFlush(
  snapshot: Pick<Snapshot, "paused" | "holds">,
  side: SideName,
  queues: readonly GroupQueue[],
  settings: TriggerSettings,
  now: number,
): NextFlush {
  if (queues.length === 0) return { kind: "nothing" };
  if (snapshot.paused[side]) return { kind: "paused" };
  const free = queues.filter(({ lane }) => !snapshot.holds.some((hold) => stopsLane(hold, lane)));
  if (free.length === 0) return { kind: "held" };
  if (!settings.autoFlush) return { kind: "off" };
  // Git collects while its repository is busy.
  const ready = free.filter(({ laneExecuting }) => side === "llm" || !laneExecuting);
  if (ready.length === 0) return { kind: "after-executing" };
  const { groups, nextMs } = due(ready, settings, now);
  if (groups.length > 0) return { kind: "now" };
  const size = settings.maxBatchSize;
  const waiting = Math.max(...ready.map(({ count }) => count));
  return nextMs === undefined
    ? { kind: "size", size, waiting }
    : { kind: "at", at: now + nextMs, size, waiting };
}

interface Words {
  readonly t: Translate;
  readonly numbers: Pick<Numbers, "count">;
  /** The time of day, with seconds, of milliseconds since 1970. */
  readonly time: (at: number) => string;
}

/** A line for a person; none where nothing is queued and for what is told elsewhere: pauses and holds. */
export function nextFlushText(side: SideName, next: NextFlush, words: Words): string | undefined {
  const { t, time, numbers } = words;
  const name = side === "git" ? t("Git") : t("LLM requests");
  switch (next.kind) {
    case "nothing":
    case "paused":
    case "held":
      return undefined;
    case "off":
      return t("{0}: automatic flushing is off, so what is queued waits for you.", name);
    case "after-executing":
      return t("{0}: next automatic flush once what executes has ended.", name);
    case "now":
      return t("{0}: automatic flush at any moment.", name);
    case "at":
      return t(
        "{0}: next automatic flush at {1}, or once {2} wait together (now {3}).",
        name,
        time(next.at),
        numbers.count(next.size),
        numbers.count(next.waiting),
      );
    case "size":
      return t(
        "{0}: next automatic flush once {1} wait together (now {2}); until then it waits for you.",
        name,
        numbers.count(next.size),
        numbers.count(next.waiting),
      );
  }
}
