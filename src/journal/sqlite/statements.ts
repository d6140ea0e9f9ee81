import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";

/** The statements of one connection, each prepared once. A row is what its statement selects; the schema vouches for it. */
export class Statements {
  readonly #db: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  run(sql: string, ...values: readonly SQLInputValue[]): number {
    return Number(this.#statement(sql).run(...values).changes);
  }

  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the caller knows what it selects
  get<Row>(sql: string, ...values: readonly SQLInputValue[]): Row | undefined {
    return this.#statement(sql).get(...values) as Row | undefined;
  }

  all<Row>(sql: string, ...values: readonly SQLInputValue[]): Row[] {
    return this.#statement(sql).all(...values) as Row[];
  }

  #statement(sql: string): StatementSync {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    const statement = this.#db.prepare(sql);
    this.#prepared.set(sql, statement);
    return statement;
  }
}
