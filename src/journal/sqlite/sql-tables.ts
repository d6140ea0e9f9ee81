import type { Batch } from "../../core/batch.ts";
import type { Effect, EffectState, ProcessIdentity } from "../../core/effect.ts";
import type { JournalEvent, LaneOwner } from "../../core/journal.ts";
import type { SideName } from "../../core/operation.ts";
import type { Hold } from "../../core/snapshot.ts";
import type { Counter, Counters } from "../../core/stats.ts";
import { added } from "../rules.ts";
import type { Tables } from "../tables.ts";
import { batchColumns, batchOf, effectColumns, effectOf, eventOf, ownerColumns, ownerOf } from "./rows.ts";
import type { BatchRow, EffectRow, EventRow, OwnerRow } from "./rows.ts";
import { SqlOperations } from "./sql-operations.ts";
import { encodeText } from "./text.ts";

/** The newest events are kept for windows that have not seen them yet; older ones are dropped now and then. */
const eventsKept = 10_000;
const eventsPerSweep = 500;

/** The rows of the journal over one connection. Money is text: a sum may outgrow SQLite's 64 bits. */
export class SqlTables extends SqlOperations implements Tables {
  insertBatch(batch: Batch): void {
    this.sql.run(
      "INSERT INTO batch (id, side, grp, lane, status, created_at, operation_count, bytes, counts, cancel_requested) VALUES (?, ?, ?, ?, ?, ?, 0, 0, '{}', 0)",
      batch.id,
      batch.side,
      batch.group,
      batch.lane,
      batch.status,
      batch.createdAt,
    );
    this.updateBatch(batch);
  }

  updateBatch(batch: Batch): void {
    this.sql.run(
      `UPDATE batch SET status = ?, started_at = ?, ended_at = ?, operation_count = ?, bytes = ?, counts = ?, error = ?,
         remote_id = ?, cancel_requested = ?, detail = ? WHERE id = ?`,
      batch.status,
      batch.startedAt ?? null,
      batch.endedAt ?? null,
      batch.operationCount,
      batch.bytes,
      JSON.stringify(batch.counts),
      batch.error === undefined ? null : encodeText(batch.error),
      batch.remoteId ?? null,
      batch.cancelRequested ? 1 : 0,
      batch.detail === undefined ? null : JSON.stringify(batch.detail),
      batch.id,
    );
  }

  deleteBatch(id: string): void {
    this.sql.run("DELETE FROM batch WHERE id = ?", id);
  }

  batch(id: string): Batch | undefined {
    const row = this.sql.get<BatchRow>(`SELECT ${batchColumns} FROM batch WHERE id = ?`, id);
    return row && batchOf(row);
  }

  oldestPending(lane: string): Batch | undefined {
    const row = this.sql.get<BatchRow>(
      `SELECT ${batchColumns} FROM batch WHERE lane = ? AND status = 'pending' ORDER BY seq LIMIT 1`,
      lane,
    );
    return row && batchOf(row);
  }

  executingInLane(lane: string): readonly Batch[] {
    const sql = `SELECT ${batchColumns} FROM batch WHERE lane = ? AND status = 'executing' ORDER BY seq`;
    return this.sql.all<BatchRow>(sql, lane).map(batchOf);
  }

  openLanes(): readonly string[] {
    return this.sql
      .all<{ lane: string }>(
        "SELECT lane FROM batch WHERE status = 'pending' UNION SELECT lane FROM batch WHERE status = 'executing' ORDER BY lane",
      )
      .map(({ lane }) => lane);
  }

  active(side: SideName, status: "pending" | "executing", limit: number): readonly Batch[] {
    // The status stands in the text, and the order is taken from no index (the plus), or SQLite would read all history
    // instead of the small index of this status.
    const sql = `SELECT ${batchColumns} FROM batch WHERE status = '${status}' AND side = ? ORDER BY +seq LIMIT ?`;
    return this.sql.all<BatchRow>(sql, side, Number.isFinite(limit) ? limit : -1).map(batchOf);
  }

  ended(side: SideName, limit: number, after?: string): readonly Batch[] {
    const where = "side = ? AND ended_at IS NOT NULL";
    const select = (more: string): string =>
      `SELECT ${batchColumns} FROM batch WHERE ${where} ${more} ORDER BY ended_at DESC, seq DESC LIMIT ?`;
    const rows =
      after === undefined
        ? this.sql.all<BatchRow>(select(""), side, limit)
        : this.sql.all<BatchRow>(
            select("AND (ended_at, seq) < (SELECT ended_at, seq FROM batch WHERE id = ?)"),
            side,
            after,
            limit,
          );
    return rows.map(batchOf);
  }

  endedBefore(before: number, limit: number): readonly string[] {
    const sql = "SELECT id FROM batch WHERE ended_at < ? ORDER BY ended_at, seq LIMIT ?";
    return this.sql.all<{ id: string }>(sql, before, limit).map(({ id }) => id);
  }

  insertEffect(effect: Effect): void {
    this.sql.run(
      "INSERT INTO effect (batch, n, kind, state, epoch, plan, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
      effect.batch,
      effect.n,
      effect.kind,
      effect.state,
      effect.epoch,
      effect.plan,
      effect.at,
    );
  }

  setEffect(
    batch: string,
    n: number,
    state: EffectState,
    change: { readonly result?: string; readonly process?: ProcessIdentity },
  ): void {
    this.sql.run(
      `UPDATE effect SET state = ?, result = coalesce(?, result), pid = coalesce(?, pid), pid_start = coalesce(?, pid_start)
       WHERE batch = ? AND n = ?`,
      state,
      change.result ?? null,
      change.process?.pid ?? null,
      change.process?.start ?? null,
      batch,
      n,
    );
  }

  effects(batch: string): readonly Effect[] {
    return this.sql
      .all<EffectRow>(`SELECT ${effectColumns} FROM effect WHERE batch = ? ORDER BY n`, batch)
      .map(effectOf);
  }

  owner(lane: string): LaneOwner | undefined {
    const row = this.sql.get<OwnerRow>(`SELECT ${ownerColumns} FROM owner WHERE lane = ?`, lane);
    return row && ownerOf(row);
  }

  owners(): readonly LaneOwner[] {
    return this.sql.all<OwnerRow>(`SELECT ${ownerColumns} FROM owner ORDER BY lane`).map(ownerOf);
  }

  saveOwner({ lane, holder, epoch, process, beat }: LaneOwner): void {
    this.sql.run(
      "INSERT OR REPLACE INTO owner (lane, holder, epoch, pid, pid_start, beat) VALUES (?, ?, ?, ?, ?, ?)",
      lane,
      holder,
      epoch,
      process.pid,
      process.start,
      beat,
    );
  }

  counters(): Counters {
    const rows = this.sql.all<{ name: Counter; value: string }>("SELECT name, value FROM counter");
    return new Map(rows.map(({ name, value }) => [name, BigInt(value)]));
  }

  addToCounter(counter: Counter, amount: bigint): void {
    const known = this.sql.get<{ value: string }>("SELECT value FROM counter WHERE name = ?", counter);
    const sum = BigInt(known?.value ?? 0) + amount;
    this.sql.run("INSERT OR REPLACE INTO counter (name, value) VALUES (?, ?)", counter, sum.toString());
  }

  addToBatch(batch: string, amounts: Counters): void {
    const sums = added(this.batchCounters(batch), amounts);
    const stats = Object.fromEntries([...sums].map(([name, sum]) => [name, sum.toString()]));
    this.sql.run("UPDATE batch SET stats = ? WHERE id = ?", JSON.stringify(stats), batch);
  }

  batchCounters(batch: string): Counters {
    const row = this.sql.get<{ stats: string | null }>("SELECT stats FROM batch WHERE id = ?", batch);
    const stats = JSON.parse(row?.stats ?? "{}") as Partial<Record<Counter, string>>;
    return new Map(Object.entries(stats).map(([name, sum]) => [name as Counter, BigInt(sum)]));
  }

  paused(side: SideName): boolean {
    return this.sql.get("SELECT side FROM pause WHERE side = ?", side) !== undefined;
  }

  setPaused(side: SideName, paused: boolean): void {
    this.sql.run(
      paused ? "INSERT OR IGNORE INTO pause (side) VALUES (?)" : "DELETE FROM pause WHERE side = ?",
      side,
    );
  }

  holds(): readonly Hold[] {
    return this.sql
      .all<{ side: SideName; reason: string; lane: string; until: string | null }>(
        "SELECT side, reason, lane, until FROM hold ORDER BY side, reason, lane",
      )
      .map(({ side, reason, lane, until }) => ({
        kind: side,
        reason,
        ...(until === null ? {} : { until }),
        ...(lane === "" ? {} : { lane }),
      }));
  }

  setHold({ kind, reason, until, lane }: Hold): void {
    this.sql.run(
      "INSERT OR REPLACE INTO hold (side, reason, lane, until) VALUES (?, ?, ?, ?)",
      kind,
      reason,
      lane ?? "",
      until ?? null,
    );
  }

  clearHold({ kind, reason, lane }: Hold): void {
    this.sql.run("DELETE FROM hold WHERE side = ? AND reason = ? AND lane = ?", kind, reason, lane ?? "");
  }

  fact(key: string): string | undefined {
    return this.sql.get<{ value: string }>("SELECT value FROM fact WHERE key = ?", key)?.value;
  }

  setFact(key: string, value: string | undefined): void {
    if (value === undefined) this.sql.run("DELETE FROM fact WHERE key = ?", key);
    else this.sql.run("INSERT OR REPLACE INTO fact (key, value) VALUES (?, ?)", key, value);
  }

  appendEvent({ type, batch, operations }: Omit<JournalEvent, "sequence">): void {
    const row = this.sql.get<{ sequence: number }>(
      "INSERT INTO event (type, batch, operations) VALUES (?, ?, ?) RETURNING sequence",
      type,
      batch ?? null,
      operations === undefined ? null : JSON.stringify(operations),
    );
    const sequence = row?.sequence ?? 0;
    if (sequence % eventsPerSweep === 0)
      this.sql.run("DELETE FROM event WHERE sequence <= ?", sequence - eventsKept);
  }

  lastSequence(): number {
    return (
      this.sql.get<{ sequence: number | null }>("SELECT max(sequence) AS sequence FROM event")?.sequence ?? 0
    );
  }

  eventsAfter(sequence: number, limit: number): readonly JournalEvent[] {
    const sql =
      "SELECT sequence, type, batch, operations FROM event WHERE sequence > ? ORDER BY sequence LIMIT ?";
    return this.sql.all<EventRow>(sql, sequence, limit).map(eventOf);
  }
}
