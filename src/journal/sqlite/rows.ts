import type { Batch, BatchStatus } from "../../core/batch.ts";
import type { Effect, EffectState } from "../../core/effect.ts";
import type { JournalEvent, LaneOwner } from "../../core/journal.ts";
import type {
  Operation,
  OperationKind,
  OperationStatus,
  Origin,
  SideName,
  Source,
} from "../../core/operation.ts";
import type { Body } from "../tables.ts";
import { decodeText } from "./text.ts";

export interface OperationRow {
  readonly id: string;
  readonly kind: OperationKind;
  readonly grp: string;
  readonly lane: string;
  readonly label: string;
  readonly source: Source;
  readonly enqueued_at: number;
  readonly status: OperationStatus;
  readonly batch: string | null;
  readonly position: number;
  readonly bytes: number;
  readonly error: string | null;
  readonly reason: string | null;
  readonly retry_of: string | null;
  readonly detail: string | null;
  readonly origin: string | null;
}
export const operationColumns =
  "op.id, kind, grp, lane, label, source, enqueued_at, status, batch, position, bytes, error, reason, retry_of, detail, origin";

export const operationOf = (row: OperationRow): Operation => ({
  id: row.id,
  kind: row.kind,
  group: row.grp,
  lane: row.lane,
  label: decodeText(row.label),
  source: row.source,
  ...(row.origin === null ? {} : { origin: JSON.parse(row.origin) as Origin }),
  enqueuedAt: row.enqueued_at,
  status: row.status,
  ...(row.batch === null ? {} : { batch: row.batch }),
  position: row.position,
  bytes: row.bytes,
  ...(row.error === null ? {} : { error: decodeText(row.error) }),
  ...(row.reason === null ? {} : { reason: row.reason }),
  ...(row.retry_of === null ? {} : { retryOf: row.retry_of }),
  ...(row.detail === null ? {} : { detail: JSON.parse(row.detail) as unknown }),
});

export interface BodyRow {
  readonly text: string | null;
  readonly file: string | null;
  readonly codec: string | null;
}
export const bodyColumns = "text, file, codec";

export const bodyOf = ({ text, file, codec }: BodyRow): Body => ({
  ...(file === null ? { kind: "inline", text: decodeText(text ?? "") } : { kind: "file", sha: file }),
  ...(codec === null ? {} : { codec }),
});

export interface BatchRow {
  readonly id: string;
  readonly side: SideName;
  readonly grp: string;
  readonly lane: string;
  readonly status: BatchStatus;
  readonly created_at: number;
  readonly started_at: number | null;
  readonly ended_at: number | null;
  readonly operation_count: number;
  readonly bytes: number;
  readonly counts: string;
  readonly error: string | null;
  readonly remote_id: string | null;
  readonly cancel_requested: number;
  readonly detail: string | null;
}
export const batchColumns =
  "id, side, grp, lane, status, created_at, started_at, ended_at, operation_count, bytes, counts, error, remote_id, cancel_requested, detail";

export const batchOf = (row: BatchRow): Batch => ({
  id: row.id,
  side: row.side,
  group: row.grp,
  lane: row.lane,
  status: row.status,
  createdAt: row.created_at,
  ...(row.started_at === null ? {} : { startedAt: row.started_at }),
  ...(row.ended_at === null ? {} : { endedAt: row.ended_at }),
  operationCount: row.operation_count,
  bytes: row.bytes,
  counts: JSON.parse(row.counts) as Batch["counts"],
  ...(row.error === null ? {} : { error: decodeText(row.error) }),
  ...(row.remote_id === null ? {} : { remoteId: row.remote_id }),
  cancelRequested: row.cancel_requested === 1,
  ...(row.detail === null ? {} : { detail: JSON.parse(row.detail) as unknown }),
});

export interface EffectRow {
  readonly batch: string;
  readonly n: number;
  readonly kind: string;
  readonly state: EffectState;
  readonly epoch: number;
  readonly plan: string;
  readonly result: string | null;
  readonly pid: number | null;
  readonly pid_start: string | null;
  readonly at: number;
}

export const effectColumns = "batch, n, kind, state, epoch, plan, result, pid, pid_start, at";

export const effectOf = ({ result, pid, pid_start, ...row }: EffectRow): Effect => ({
  ...row,
  ...(result === null ? {} : { result }),
  ...(pid === null ? {} : { process: { pid, start: pid_start ?? "" } }),
});

export interface OwnerRow extends Omit<LaneOwner, "process"> {
  readonly pid: number;
  readonly pid_start: string;
}

export const ownerColumns = "lane, holder, epoch, pid, pid_start, beat";

export const ownerOf = ({ pid, pid_start, ...row }: OwnerRow): LaneOwner => ({
  ...row,
  process: { pid, start: pid_start },
});

export interface EventRow {
  readonly sequence: number;
  readonly type: JournalEvent["type"];
  readonly batch: string | null;
  readonly operations: string | null;
}

export const eventOf = ({ sequence, type, batch, operations }: EventRow): JournalEvent => ({
  sequence,
  type,
  ...(batch === null ? {} : { batch }),
  ...(operations === null ? {} : { operations: JSON.parse(operations) as string[] }),
});
