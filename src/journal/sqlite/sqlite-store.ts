import type { DatabaseSync } from "node:sqlite";
import { JournalError } from "../../core/errors.ts";
import type { JournalEvent } from "../../core/journal.ts";
import type { Clock, Disposable, NewId } from "../../core/ports.ts";
import type { Store, Weight } from "../base-journal.ts";
import type { Body, Tables, Transaction } from "../tables.ts";
import { Watchers } from "../watchers.ts";
import type { Ballast } from "./ballast.ts";
import type { Bodies } from "./bodies.ts";
import { rollBack } from "./connection.ts";
import { journalError } from "./errors.ts";
import { whileBusy } from "./retry.ts";
import { SqlTables } from "./sql-tables.ts";
import { Statements } from "./statements.ts";
import { Writer } from "./writer.ts";

export interface SqliteStoreDeps {
  readonly db: DatabaseSync;
  readonly bodies: Bodies;
  readonly ballast: Ballast;
  /** For messages. */
  readonly directory: string;
  readonly clock: Clock;
  readonly newId: NewId;
  /** How long to go on while another program keeps the database locked. */
  readonly patienceMs: number;
  /** Called once the database is closed. */
  readonly closed?: () => void;
}

/** Other windows' changes are looked for so often while somebody watches. */
const pollMs = 250;
/** So many unused files are removed in one transaction. */
const sweepStep = 200;

/** The journal's rows in a SQLite database, shared with other windows. */
export class SqliteStore implements Store {
  readonly #deps: SqliteStoreDeps;
  readonly #statements: Statements;
  readonly #tables: SqlTables;
  readonly #writer: Writer;
  readonly #watchers: Watchers;
  #poll: NodeJS.Timeout | undefined;
  #version: number | undefined;
  #closed = false;

  constructor(deps: SqliteStoreDeps) {
    this.#deps = deps;
    this.#statements = new Statements(deps.db);
    this.#tables = new SqlTables(this.#statements, (sha, text) => deps.bodies.ensure(sha, text));
    this.#watchers = new Watchers((since, limit) => this.#tables.eventsAfter(since, limit));
    this.#writer = new Writer(deps.db, deps.patienceMs, () => this.#watchers.hint());
  }

  write<T>(verb: (transaction: Transaction) => T, weight?: Weight): Promise<T> {
    const { clock, newId } = this.#deps;
    return this.#withLastRoom(weight, () =>
      this.#writer.write(() => verb({ tables: this.#tables, now: clock.now(), newId })),
    );
  }

  read<T>(read: (tables: Tables) => T): Promise<T> {
    const { db, patienceMs } = this.#deps;
    return this.#translated(() =>
      whileBusy(() => {
        db.exec("BEGIN");
        try {
          return read(this.#tables);
        } finally {
          rollBack(db);
        }
      }, patienceMs),
    );
  }

  place(text: string, weight?: Weight): Promise<Body> {
    return this.#withLastRoom(weight, () => this.#deps.bodies.place(text));
  }

  load(body: Body): Promise<string> {
    return this.#translated(() => this.#deps.bodies.load(body));
  }

  watch(since: number, listener: (events: readonly JournalEvent[]) => void): Disposable {
    const watching = this.#watchers.add(since, listener);
    this.#poll ??= setInterval(() => this.#lookForChanges(), pollMs).unref();
    return {
      dispose: () => {
        watching.dispose();
        if (this.#watchers.size === 0) this.#stopPolling();
      },
    };
  }

  async sweep(): Promise<void> {
    const { bodies, clock } = this.#deps;
    await this.#deps.ballast.keep();
    const files = await bodies.list(clock.now());
    for (let at = 0; at < files.length; at += sweepStep) {
      const step = files.slice(at, at + sweepStep);
      await this.#translated(() => this.#writer.write(() => this.#removeUnused(step)));
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#stopPolling();
    this.#watchers.dispose();
    await this.#writer.idle();
    this.#deps.db.close();
    this.#deps.closed?.();
  }

  #removeUnused(files: readonly string[]): void {
    for (const sha of files) {
      const used = this.#statements.get(
        "SELECT 1 AS used FROM payload WHERE file = ? UNION ALL SELECT 1 FROM result WHERE file = ?",
        sha,
        sha,
      );
      if (used === undefined) this.#deps.bodies.remove(sha);
    }
  }

  /** `data_version` changes when another connection has committed: https://www.sqlite.org/pragma.html#pragma_data_version */
  #lookForChanges(): void {
    try {
      const row = this.#statements.get<{ data_version: number }>("PRAGMA data_version");
      if (row?.data_version === this.#version && !this.#watchers.behind) return;
      this.#watchers.hint();
      this.#version = row?.data_version;
    } catch {
      // Locked for a moment, or broken: the next poll looks again, and every verb says what is wrong.
    }
  }

  #stopPolling(): void {
    clearInterval(this.#poll);
    this.#poll = undefined;
  }

  async #withLastRoom<T>(weight: Weight | undefined, action: () => Promise<T>): Promise<T> {
    try {
      return await this.#translated(action);
    } catch (error) {
      const full = error instanceof JournalError && error.reason === "full";
      if (!full || weight !== "done" || !(await this.#deps.ballast.release())) throw error;
      return this.#translated(action);
    }
  }

  async #translated<T>(action: () => Promise<T>): Promise<T> {
    if (this.#closed) throw new JournalError("unavailable", "The journal is closed.");
    try {
      return await action();
    } catch (error) {
      throw journalError(error, this.#deps.directory);
    }
  }
}
