import * as v from "valibot";
import type { Snapshot } from "./core/snapshot.ts";

/** What the host tells the panel: always a whole snapshot, newest wins, so a dropped message loses nothing. */
export type ToPanel =
  | {
      readonly kind: "snapshot";
      readonly snapshot: Snapshot;
      readonly locale: string;
      readonly strings: Readonly<Record<string, string>>;
    }
  /** A request of the panel failed; shown beside the control it came from. `id`: the operation or batch it was about. */
  | {
      readonly kind: "failed";
      readonly request: FromPanel["kind"];
      readonly message: string;
      readonly id?: string;
    };

const side = v.picklist(["git", "llm"]);
const id = v.pipe(v.string(), v.uuid());

/** What the panel asks of the host; checked on arrival, for a webview is not trusted. */
export const fromPanel = v.variant("kind", [
  v.strictObject({ kind: v.literal("ready") }),
  v.strictObject({ kind: v.literal("flush"), side: v.optional(side) }),
  v.strictObject({ kind: v.literal("pause"), side: v.optional(side) }),
  v.strictObject({ kind: v.literal("resume"), side: v.optional(side) }),
  v.strictObject({ kind: v.literal("cancelOperation"), id }),
  v.strictObject({ kind: v.literal("retryOperation"), id }),
  v.strictObject({ kind: v.literal("cancelBatch"), id }),
  v.strictObject({ kind: v.literal("retryBatch"), id }),
  v.strictObject({ kind: v.literal("openResult"), id }),
  v.strictObject({ kind: v.literal("setApiKey") }),
]);

export type FromPanel = v.InferOutput<typeof fromPanel>;
/** What the host carries out for the panel. */
export type PanelRequest = Exclude<FromPanel, { kind: "ready" }>;

export { usdText } from "./core/usd.ts";
export type { Snapshot, OperationView, BatchView, Side, Hold } from "./core/snapshot.ts";
export type { Counter, LlmStats } from "./core/stats.ts";
export type { OperationKind, SideName } from "./core/operation.ts";
export type { BatchStatus } from "./core/batch.ts";
export type { TextKey } from "./panel-text.ts";
