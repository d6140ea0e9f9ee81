import type { Operation, OperationStatus, SideName } from "../../core/operation.ts";
import { sideOf } from "../../core/operation.ts";
import type {
  AcceptedEdit,
  AcceptedOperation,
  Body,
  Final,
  OperationWithBody,
  QueueRow,
  QueueTotals,
} from "../tables.ts";
import { bodyColumns, bodyOf, operationColumns, operationOf } from "./rows.ts";
import type { BodyRow, OperationRow } from "./rows.ts";
import { sides } from "../rules.ts";
import type { Statements } from "./statements.ts";
import { decodeText, encodeText } from "./text.ts";

/** Makes sure that the file of a body is there; called inside the transaction that names it. */
export type EnsureFile = (sha: string, text: string | undefined) => void;

const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));
const encoded = (text: string | undefined): string | null => (text === undefined ? null : encodeText(text));

/** SQLite's way to say that there is no limit. */
const rows = (limit: number): number => (Number.isFinite(limit) ? limit : -1);

/** Operations, payloads and results as rows. */
export class SqlOperations {
  protected readonly sql: Statements;
  readonly #ensure: EnsureFile;

  constructor(sql: Statements, ensure: EnsureFile) {
    this.sql = sql;
    this.#ensure = ensure;
  }

  nextPosition(): number {
    const next = this.sql.get<{ value: number }>(
      "INSERT INTO sequence (name, value) VALUES ('position', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1 RETURNING value",
    );
    return next?.value ?? 1;
  }

  insertOperation(accepted: AcceptedOperation, position: number): void {
    this.sql.run(
      `INSERT INTO op (id, kind, side, grp, lane, label, source, enqueued_at, status, position, bytes, retry_of, detail,
         idempotency_key, fingerprint, origin) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'queued', ?, ?, ?, ?, ?, ?, ?)`,
      accepted.id,
      accepted.kind,
      sideOf(accepted.kind),
      accepted.group,
      accepted.lane,
      encodeText(accepted.label),
      accepted.source,
      accepted.enqueuedAt,
      position,
      accepted.bytes,
      accepted.retryOf ?? null,
      json(accepted.detail),
      encoded(accepted.idempotencyKey),
      encodeText(accepted.fingerprint),
      json(accepted.origin),
    );
    this.#saveBody("payload", accepted.id, accepted.body);
  }

  editOperation(id: string, edit: AcceptedEdit): void {
    this.sql.run(
      "UPDATE op SET grp = ?, lane = ?, label = ?, fingerprint = ?, detail = ?, bytes = ? WHERE id = ?",
      edit.group,
      edit.lane,
      encodeText(edit.label),
      encodeText(edit.fingerprint),
      json(edit.detail),
      edit.bytes,
      id,
    );
    this.#saveBody("payload", id, edit.body);
  }

  operation(id: string): Operation | undefined {
    const row = this.sql.get<OperationRow>(`SELECT ${operationColumns} FROM op WHERE id = ?`, id);
    return row && operationOf(row);
  }

  stored(id: string): OperationWithBody | undefined {
    const row = this.sql.get<OperationRow & BodyRow>(
      `SELECT ${operationColumns}, ${bodyColumns} FROM op JOIN payload ON payload.op = op.seq WHERE op.id = ?`,
      id,
    );
    return row && { operation: operationOf(row), body: bodyOf(row) };
  }

  byKey(key: string): { readonly id: string; readonly fingerprint: string } | undefined {
    const row = this.sql.get<{ id: string; fingerprint: string }>(
      "SELECT id, fingerprint FROM op WHERE idempotency_key = ?",
      encodeText(key),
    );
    return row && { id: row.id, fingerprint: decodeText(row.fingerprint) };
  }

  setPosition(id: string, position: number): void {
    this.sql.run("UPDATE op SET position = ? WHERE id = ?", position, id);
  }

  setDetail(id: string, detail: unknown): void {
    this.sql.run("UPDATE op SET detail = ? WHERE id = ?", json(detail), id);
  }

  setFinal(id: string, final: Final, batch: string): void {
    this.sql.run(
      "UPDATE op SET status = ?, batch = ?, error = coalesce(?, error), reason = coalesce(?, reason), detail = coalesce(?, detail) WHERE id = ?",
      final.status,
      batch,
      encoded(final.error),
      final.reason ?? null,
      json(final.detail),
      id,
    );
    this.#saveBody("result", id, final.body);
  }

  resultBody(id: string): Body | undefined {
    const row = this.sql.get<BodyRow>(
      `SELECT ${bodyColumns} FROM result JOIN op ON result.op = op.seq WHERE op.id = ?`,
      id,
    );
    return row && bodyOf(row);
  }

  queuedInGroup(
    group: string,
  ): readonly { readonly id: string; readonly position: number; readonly bytes: number }[] {
    return this.sql.all(
      "SELECT id, position, bytes FROM op WHERE grp = ? AND status = 'queued' ORDER BY position",
      group,
    );
  }

  firstInGroup(group: string): Operation | undefined {
    const row = this.sql.get<OperationRow>(
      `SELECT ${operationColumns} FROM op WHERE grp = ? AND status = 'queued' ORDER BY position LIMIT 1`,
      group,
    );
    return row && operationOf(row);
  }

  queueTotals(group: string): QueueTotals | undefined {
    const row = this.sql.get<{ count: number; bytes: number | null; last: number | null }>(
      "SELECT count(*) AS count, sum(bytes) AS bytes, max(position) AS last FROM op WHERE grp = ? AND status = 'queued'",
      group,
    );
    return row?.last == null
      ? undefined
      : { count: row.count, bytes: row.bytes ?? 0, lastPosition: row.last };
  }

  firstQueued(side: SideName, limit: number): readonly Operation[] {
    return this.sql
      .all<OperationRow>(
        `SELECT ${operationColumns} FROM op WHERE side = ? AND status = 'queued' ORDER BY position LIMIT ?`,
        side,
        rows(limit),
      )
      .map(operationOf);
  }

  queuedCount(side: SideName): number {
    const sql = "SELECT count(*) AS count FROM op WHERE side = ? AND status = 'queued'";
    return this.sql.get<{ count: number }>(sql, side)?.count ?? 0;
  }

  queuedIds(side: SideName): readonly string[] {
    const sql = "SELECT id FROM op WHERE side = ? AND status = 'queued' ORDER BY position";
    return this.sql.all<{ id: string }>(sql, side).map(({ id }) => id);
  }

  queueRows(side: SideName): readonly QueueRow[] {
    return this.sql
      .all<{ grp: string; lane: string; count: number; oldest: number | null }>(
        `SELECT grp, min(lane) AS lane, count(*) AS count, min(iif(source = 'person', NULL, enqueued_at)) AS oldest
         FROM op WHERE +side = ? AND status = 'queued' GROUP BY grp ORDER BY grp`,
        side,
      )
      .map(({ grp, lane, count, oldest }) => ({
        group: grp,
        lane,
        count,
        ...(oldest === null ? {} : { oldestUnattended: oldest }),
      }));
  }

  assign(group: string, upTo: number, batch: string): void {
    this.sql.run(
      "UPDATE op SET status = 'pending', batch = ? WHERE grp = ? AND status = 'queued' AND position <= ?",
      batch,
      group,
      upTo,
    );
  }

  restatus(batch: string, from: OperationStatus, to: OperationStatus): number {
    return this.sql.run("UPDATE op SET status = ? WHERE batch = ? AND +status = ?", to, batch, from);
  }

  requeue(batch: string, from: number): { readonly count: number; readonly bytes: number } {
    const open = "batch = ? AND +status IN ('pending', 'executing') AND position >= ?";
    const bytes = this.sql.get<{ bytes: number | null }>(
      `SELECT sum(bytes) AS bytes FROM op WHERE ${open}`,
      batch,
      from,
    )?.bytes;
    const count = this.sql.run(`UPDATE op SET status = 'queued', batch = NULL WHERE ${open}`, batch, from);
    return { count, bytes: bytes ?? 0 };
  }

  openInBatch(batch: string): readonly string[] {
    const sql = "SELECT id FROM op WHERE batch = ? AND +status IN ('pending', 'executing') ORDER BY position";
    return this.sql.all<{ id: string }>(sql, batch).map(({ id }) => id);
  }

  shownInBatch(batch: string, limit: number): readonly Operation[] {
    const newest = (where: string, count: number): OperationRow[] =>
      count === 0
        ? []
        : this.sql.all<OperationRow>(
            `SELECT ${operationColumns} FROM op WHERE batch = ? AND ${where} ORDER BY position DESC LIMIT ?`,
            batch,
            count,
          );
    const bad = newest("status IN ('failed', 'expired')", limit);
    return [...bad, ...newest("+status NOT IN ('failed', 'expired')", limit - bad.length)].map(operationOf);
  }

  list(query: {
    readonly batch?: string | undefined;
    readonly status?: OperationStatus | undefined;
    readonly after: number | undefined;
    readonly limit: number;
  }): readonly Operation[] {
    const { batch, status, after = 0, limit } = query;
    return batch === undefined
      ? this.#listAll(status, after, rows(limit))
      : this.#listBatch(batch, status, after, rows(limit));
  }

  bodiesInBatch(batch: string, after: number, limit: number): readonly OperationWithBody[] {
    return this.sql
      .all<OperationRow & BodyRow>(
        `SELECT ${operationColumns}, ${bodyColumns} FROM op JOIN payload ON payload.op = op.seq
         WHERE batch = ? AND position > ? ORDER BY position LIMIT ?`,
        batch,
        after,
        rows(limit),
      )
      .map((row) => ({ operation: operationOf(row), body: bodyOf(row) }));
  }

  dropOperations(batch: string, limit: number): number {
    return this.sql.run(
      "DELETE FROM op WHERE seq IN (SELECT seq FROM op WHERE batch = ? LIMIT ?)",
      batch,
      limit,
    );
  }

  #listBatch(
    batch: string,
    status: OperationStatus | undefined,
    after: number,
    limit: number,
  ): readonly Operation[] {
    return this.sql
      .all<OperationRow>(
        `SELECT ${operationColumns} FROM op WHERE batch = ? AND position > ? AND +status = coalesce(?, status)
         ORDER BY position LIMIT ?`,
        batch,
        after,
        status ?? null,
        limit,
      )
      .map(operationOf);
  }

  /** Each way finds its rows by an index of its own; an index on every status would be written at every step of every operation. */
  #listAll(status: OperationStatus | undefined, after: number, limit: number): readonly Operation[] {
    const select = `SELECT ${operationColumns} FROM op WHERE position > ?`;
    switch (status) {
      case undefined:
        return this.sql
          .all<OperationRow>(`${select} ORDER BY position LIMIT ?`, after, limit)
          .map(operationOf);
      case "queued":
        return sides
          .flatMap((side) =>
            this.sql.all<OperationRow>(
              `${select} AND side = ? AND status = 'queued' ORDER BY position LIMIT ?`,
              after,
              side,
              limit,
            ),
          )
          .map(operationOf)
          .sort((a, b) => a.position - b.position)
          .slice(0, limit < 0 ? undefined : limit);
      case "pending":
      case "executing":
        return this.sql
          .all<OperationRow>(
            `${select} AND batch IN (SELECT id FROM batch WHERE status = '${status}') AND +status = '${status}'
             ORDER BY position LIMIT ?`,
            after,
            limit,
          )
          .map(operationOf);
      case "succeeded":
      case "failed":
      case "cancelled":
      case "expired":
        return this.sql
          .all<OperationRow>(
            `${select} AND status = ? AND status IN ('succeeded', 'failed', 'cancelled', 'expired') ORDER BY position LIMIT ?`,
            after,
            status,
            limit,
          )
          .map(operationOf);
    }
  }

  #saveBody(table: "payload" | "result", id: string, body: Body): void {
    if (body.kind === "file") this.#ensure(body.sha, body.text);
    this.sql.run(
      `INSERT OR REPLACE INTO ${table} (op, ${bodyColumns}) SELECT seq, ?, ?, ? FROM op WHERE id = ?`,
      body.kind === "inline" ? encodeText(body.text) : null,
      body.kind === "file" ? body.sha : null,
      body.codec ?? null,
      id,
    );
  }
}
