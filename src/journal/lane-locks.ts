import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import { join, sep } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { LaneLock, LaneLocks, LockCapabilities, LockPurpose } from "../core/executor.ts";
import { JournalError } from "../core/errors.ts";
import { rollBack, sqlite } from "./sqlite/connection.ts";
import { isBusy, isDeviceTrouble, journalError, systemCode } from "./sqlite/errors.ts";

export interface LaneLockFolders {
  /** For lanes that are no repository, such as a provider's account: the journal's folder. */
  readonly storage: string;
  /** For repositories whose own folder cannot be written. The same in every editor of the user. */
  readonly user: string;
}

/**
 * Lane locks as exclusive transactions on tiny databases: kernel locks, which fall when the process dies and know no
 * time, so neither a sleep nor a changed clock hands one over. A repository's lock lies in its common git directory, so
 * that every editor on it meets there. The files must never be opened in another way by this process: closing such a
 * handle would drop the lock (https://www.sqlite.org/howtocorrupt.html, "Posix advisory locks").
 */
export class SqliteLaneLocks implements LaneLocks {
  readonly capabilities: LockCapabilities = { kind: "os", clock: "local", scope: "machine" };
  readonly #folders: LaneLockFolders;

  constructor(folders: LaneLockFolders) {
    this.#folders = folders;
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- what throws must reject
  async tryAcquire(lane: string, purpose: LockPurpose = "lead"): Promise<LaneLock | undefined> {
    let refused: unknown;
    for (const { folder, name, ours } of this.#places(lane, purpose)) {
      try {
        // A repository that is gone is not made again, and what lies in it has its permissions, for others may share it.
        if (ours) mkdirSync(folder, { recursive: true, mode: 0o700 });
        else makeOnce(folder);
        const file = join(folder, name);
        // SQLite opens what it may only read as well, and then locks nothing.
        if (existsSync(file)) accessSync(file, constants.R_OK | constants.W_OK);
        const db = locked(file);
        return db && new Held(lane, db);
      } catch (error) {
        refused = journalError(error, folder);
        if (!isLasting(error, folder)) throw refused;
      }
    }
    throw refused;
  }

  /** Where the lane's lock may lie; the first that can be written counts. */
  #places(
    lane: string,
    purpose: LockPurpose,
  ): readonly { readonly folder: string; readonly name: string; readonly ours: boolean }[] {
    const suffix = purpose === "turn" ? "turn" : "lock";
    const name = `${createHash("sha256").update(lane).digest("hex").slice(0, 32)}.${suffix}`;
    if (!lane.startsWith("git:")) return [{ folder: join(this.#folders.storage, "locks"), name, ours: true }];
    return [
      { folder: join(lane.slice("git:".length), "batch-control"), name: suffix, ours: false },
      { folder: this.#folders.user, name, ours: true },
    ];
  }
}

/** Another window may make it at the same moment. */
function makeOnce(folder: string): void {
  if (existsSync(folder)) return;
  try {
    mkdirSync(folder);
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
  }
}

const lasting = new Set<unknown>(["EACCES", "EPERM", "EROFS", "ENOENT", "ENOTDIR", "ELOOP"]);

/**
 * Whether no window can lock here, so that all of them take the next place. In a passing trouble, such as too many open
 * files or a full volume, the next place would make a second leader beside one who holds this.
 */
function isLasting(error: unknown, folder: string): boolean {
  if (lasting.has(systemCode(error)) || isDeviceTrouble(error)) return true;
  if (systemCode(error) !== undefined) return false;
  // SQLite does not tell why a file could not be opened.
  try {
    accessSync(`${folder}${sep}`, constants.R_OK | constants.W_OK | constants.X_OK);
    return false;
  } catch (refusal) {
    return lasting.has(systemCode(refusal));
  }
}

/** `undefined`: another window, or this one, holds it. */
function locked(path: string): DatabaseSync | undefined {
  const module = sqlite();
  if (module === undefined)
    throw new JournalError("unavailable", "This editor has no node:sqlite, so it cannot lock.");
  const db = new module.DatabaseSync(path, { timeout: 0 });
  try {
    // Nothing is ever written, so no journal file needs to lie beside the lock.
    db.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    return db;
  } catch (error) {
    db.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

class Held implements LaneLock {
  readonly lane: string;
  readonly #db: DatabaseSync;

  constructor(lane: string, db: DatabaseSync) {
    this.lane = lane;
    this.#db = db;
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- what throws must reject
  async release(): Promise<void> {
    if (!this.#db.isOpen) return;
    rollBack(this.#db);
    this.#db.close();
  }
}
