import { JournalError } from "../../core/errors.ts";
import type { EnqueueOutcome } from "../../core/journal.ts";
import type { NewOperation } from "../../core/operation.ts";
import { BaseJournal } from "../base-journal.ts";
import type { JournalOptions } from "../base-journal.ts";
import { SqliteStore } from "./sqlite-store.ts";
import type { SqliteStoreDeps } from "./sqlite-store.ts";

export interface SqliteJournalDeps extends SqliteStoreDeps, JournalOptions {
  /** Whether the database's file is still where it was opened. */
  readonly inPlace: () => boolean;
}

/** The durable journal that all windows of a user share. Made by `openJournal`. */
export class SqliteJournal extends BaseJournal {
  readonly #directory: string;
  readonly #inPlace: () => boolean;

  constructor(deps: SqliteJournalDeps) {
    super(new SqliteStore(deps), deps);
    this.#directory = deps.directory;
    this.#inPlace = deps.inPlace;
  }

  /** What was accepted before may still be carried out from here; what came now would end with this window. */
  override async enqueue(operations: readonly NewOperation[]): Promise<readonly EnqueueOutcome[]> {
    if (this.#inPlace()) return super.enqueue(operations);
    const message = `The journal in ${this.#directory} was removed or replaced, so nothing more is accepted. Flush what this window has queued, then reload it.`;
    throw new JournalError("unavailable", message);
  }
}
