import * as v from "valibot";
import type { SideName } from "./core/operation.ts";
import type { BatchView, Snapshot } from "./core/snapshot.ts";

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
    }
  /** Finished batches before those that the panel has, newest first; none on a side: there are no more of it. */
  | { readonly kind: "older"; readonly batches: Readonly<Record<SideName, readonly BatchView[]>> };

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
  v.strictObject({ kind: v.literal("openChanges"), id }),
  v.strictObject({ kind: v.literal("openDetails"), id }),
  v.strictObject({ kind: v.literal("openResult"), id }),
  v.strictObject({ kind: v.literal("setApiKey") }),
  v.strictObject({ kind: v.literal("manageTrust") }),
  v.strictObject({ kind: v.literal("exportHistory") }),
  /** The next page of each side named, after that batch. */
  v.strictObject({
    kind: v.literal("older"),
    after: v.strictObject({ git: v.optional(id), llm: v.optional(id) }),
  }),
]);

export type FromPanel = v.InferOutput<typeof fromPanel>;
/** What the host carries out for the panel. */
export type PanelRequest = Exclude<FromPanel, { kind: "ready" | "older" }>;

export { requestGroupName } from "./core/group-name.ts";
export { opensOf } from "./core/opens.ts";
export { pushesDelivered, requestsAnswered } from "./core/stats.ts";
export { usdText } from "./core/usd.ts";
export type { Snapshot, OperationView, BatchView, Side, Hold } from "./core/snapshot.ts";
export type { Counter, GitStats, LlmStats } from "./core/stats.ts";
export type { OperationKind, SideName } from "./core/operation.ts";
export type { BatchStatus } from "./core/batch.ts";
export type { TextKey } from "./panel-text.ts";
