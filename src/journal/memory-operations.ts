import type { Operation, OperationStatus, SideName } from "../core/operation.ts";
import { isFinal, sideOf } from "../core/operation.ts";
import type {
  AcceptedEdit,
  AcceptedOperation,
  Body,
  Final,
  OperationWithBody,
  QueueRow,
  QueueTotals,
} from "./tables.ts";

interface Row {
  operation: Operation;
  body: Body;
  fingerprint: string;
  readonly key: string | undefined;
  result?: Body;
}

const byPosition = (a: Row, b: Row): number => a.operation.position - b.operation.position;

/** Operations by id, by queue and by batch. */
export class MemoryOperations {
  readonly #rows = new Map<string, Row>();
  readonly #keys = new Map<string, Row>();
  /** Queued rows by group, in order of position. */
  readonly #queues = new Map<string, Row[]>();
  /** Rows by batch, in order of position. */
  readonly #batches = new Map<string, Row[]>();
  #position = 0;

  nextPosition(): number {
    return ++this.#position;
  }

  insertOperation(accepted: AcceptedOperation, position: number): void {
    const { body, bytes, fingerprint, idempotencyKey, detail, ...rest } = accepted;
    const operation: Operation = {
      ...rest,
      status: "queued",
      position,
      bytes,
      ...(detail === undefined ? {} : { detail }),
    };
    const row: Row = { operation, body, fingerprint, key: idempotencyKey };
    this.#rows.set(operation.id, row);
    if (idempotencyKey !== undefined) this.#keys.set(idempotencyKey, row);
    this.#enter(this.#queues, operation.group, row);
  }

  editOperation(id: string, { body, fingerprint, detail, ...change }: AcceptedEdit): void {
    const row = this.#row(id);
    this.#leaveQueue(row);
    const { detail: _, ...rest } = row.operation;
    row.operation = { ...rest, ...change, ...(detail === undefined ? {} : { detail }) };
    row.body = body;
    row.fingerprint = fingerprint;
    this.#enter(this.#queues, row.operation.group, row);
  }

  operation(id: string): Operation | undefined {
    return this.#rows.get(id)?.operation;
  }

  stored(id: string): OperationWithBody | undefined {
    return this.#rows.get(id);
  }

  byKey(key: string): { readonly id: string; readonly fingerprint: string } | undefined {
    const row = this.#keys.get(key);
    return row && { id: row.operation.id, fingerprint: row.fingerprint };
  }

  setPosition(id: string, position: number): void {
    const row = this.#row(id);
    row.operation = { ...row.operation, position };
    this.#queues.get(row.operation.group)?.sort(byPosition);
  }

  setDetail(id: string, detail: unknown): void {
    const row = this.#row(id);
    row.operation = { ...row.operation, detail };
  }

  setFinal(id: string, final: Final, batch: string): void {
    const row = this.#row(id);
    if (row.operation.status === "queued") {
      this.#leaveQueue(row);
      this.#enter(this.#batches, batch, row);
    }
    row.operation = {
      ...row.operation,
      status: final.status,
      batch,
      ...(final.error === undefined ? {} : { error: final.error }),
      ...(final.reason === undefined ? {} : { reason: final.reason }),
      ...(final.detail === undefined ? {} : { detail: final.detail }),
    };
    row.result = final.body;
  }

  resultBody(id: string): Body | undefined {
    return this.#rows.get(id)?.result;
  }

  queuedInGroup(
    group: string,
  ): readonly { readonly id: string; readonly position: number; readonly bytes: number }[] {
    return (this.#queues.get(group) ?? []).map(({ operation }) => operation);
  }

  firstInGroup(group: string): Operation | undefined {
    return this.#queues.get(group)?.[0]?.operation;
  }

  queueTotals(group: string): QueueTotals | undefined {
    const rows = this.#queues.get(group) ?? [];
    const last = rows.at(-1);
    if (last === undefined) return undefined;
    const bytes = rows.reduce((sum, { operation }) => sum + operation.bytes, 0);
    return { count: rows.length, bytes, lastPosition: last.operation.position };
  }

  firstQueued(side: SideName, limit: number): readonly Operation[] {
    return this.#queuesOf(side)
      .flatMap((rows) => rows.slice(0, limit))
      .sort(byPosition)
      .slice(0, limit)
      .map(({ operation }) => operation);
  }

  queuedCount(side: SideName): number {
    return this.#queuesOf(side).reduce((sum, { length }) => sum + length, 0);
  }

  queuedIds(side: SideName): readonly string[] {
    return this.#queuesOf(side)
      .flat()
      .sort(byPosition)
      .map(({ operation }) => operation.id);
  }

  queueRows(side: SideName): readonly QueueRow[] {
    return this.#queuesOf(side)
      .flatMap((rows): QueueRow[] => {
        const first = rows[0];
        if (first === undefined) return [];
        const { group, lane } = first.operation;
        const unattended = rows.filter(({ operation }) => operation.source !== "person");
        const oldest = unattended.reduce(
          (least, { operation }) => Math.min(least, operation.enqueuedAt),
          Infinity,
        );
        return [
          {
            group,
            lane,
            count: rows.length,
            ...(unattended.length === 0 ? {} : { oldestUnattended: oldest }),
          },
        ];
      })
      .sort((a, b) => (a.group < b.group ? -1 : 1));
  }

  assign(group: string, upTo: number, batch: string): void {
    const rows = this.#queues.get(group) ?? [];
    const taken = rows.filter(({ operation }) => operation.position <= upTo);
    for (const row of taken) row.operation = { ...row.operation, status: "pending", batch };
    this.#batches.set(batch, taken);
    this.#setQueue(
      group,
      rows.filter(({ operation }) => operation.position > upTo),
    );
  }

  restatus(batch: string, from: OperationStatus, to: OperationStatus): number {
    const rows = this.#inBatch(batch).filter(({ operation }) => operation.status === from);
    for (const row of rows) row.operation = { ...row.operation, status: to };
    return rows.length;
  }

  requeue(batch: string, from: number): { readonly count: number; readonly bytes: number } {
    const leaves = ({ operation }: Row): boolean => !isFinal(operation.status) && operation.position >= from;
    const [stays, open] = [false, true].map((wanted) =>
      this.#inBatch(batch).filter((row) => leaves(row) === wanted),
    ) as [Row[], Row[]];
    this.#batches.set(batch, stays);
    for (const row of open) {
      const { batch: _, ...rest } = row.operation;
      row.operation = { ...rest, status: "queued" };
      this.#enter(this.#queues, rest.group, row);
    }
    return { count: open.length, bytes: open.reduce((sum, { operation }) => sum + operation.bytes, 0) };
  }

  openInBatch(batch: string): readonly string[] {
    return this.#inBatch(batch)
      .filter(({ operation }) => !isFinal(operation.status))
      .map(({ operation }) => operation.id);
  }

  shownInBatch(batch: string, limit: number): readonly Operation[] {
    const newest = this.#inBatch(batch)
      .map(({ operation }) => operation)
      .reverse();
    const bad = ({ status }: Operation): boolean => status === "failed" || status === "expired";
    return [...newest.filter(bad), ...newest.filter((operation) => !bad(operation))].slice(0, limit);
  }

  list(query: {
    readonly batch?: string | undefined;
    readonly status?: OperationStatus | undefined;
    readonly after: number | undefined;
    readonly limit: number;
  }): readonly Operation[] {
    const { batch, status, after = -Infinity, limit } = query;
    return [...(batch === undefined ? this.#rows.values() : this.#inBatch(batch))]
      .filter(
        ({ operation }) =>
          operation.position > after && (status === undefined || operation.status === status),
      )
      .sort(byPosition)
      .slice(0, limit)
      .map(({ operation }) => operation);
  }

  bodiesInBatch(batch: string, after: number, limit: number): readonly OperationWithBody[] {
    return this.#inBatch(batch)
      .filter(({ operation }) => operation.position > after)
      .slice(0, limit);
  }

  dropOperations(batch: string, limit: number): number {
    const rows = this.#inBatch(batch);
    const dropped = rows.splice(0, limit);
    for (const { operation, key } of dropped) {
      this.#rows.delete(operation.id);
      if (key !== undefined) this.#keys.delete(key);
    }
    if (rows.length === 0) this.#batches.delete(batch);
    return dropped.length;
  }

  #row(id: string): Row {
    const row = this.#rows.get(id);
    if (row === undefined) throw new Error(`No operation ${id}`);
    return row;
  }

  #inBatch(batch: string): Row[] {
    return this.#batches.get(batch) ?? [];
  }

  #queuesOf(side: SideName): readonly Row[][] {
    return [...this.#queues.values()].filter(
      ([first]) => first !== undefined && sideOf(first.operation.kind) === side,
    );
  }

  #enter(lists: Map<string, Row[]>, key: string, row: Row): void {
    const rows = lists.get(key) ?? [];
    const last = rows.at(-1);
    rows.push(row);
    if (last !== undefined && byPosition(last, row) > 0) rows.sort(byPosition);
    lists.set(key, rows);
  }

  #leaveQueue(row: Row): void {
    const { group } = row.operation;
    this.#setQueue(
      group,
      (this.#queues.get(group) ?? []).filter((other) => other !== row),
    );
  }

  #setQueue(group: string, rows: Row[]): void {
    if (rows.length === 0) this.#queues.delete(group);
    else this.#queues.set(group, rows);
  }
}
