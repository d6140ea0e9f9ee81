import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { JournalError } from "../../core/errors.ts";
import type { Clock, NewId } from "../../core/ports.ts";
import type { JournalOptions } from "../base-journal.ts";
import { codecSchema } from "../codec.ts";
import { Ballast } from "./ballast.ts";
import { Bodies } from "./bodies.ts";
import { sqlite, versionOf, walIsSafe } from "./connection.ts";
import { journalError } from "./errors.ts";
import { sameFile } from "./same-file.ts";
import { journalFile, openSound } from "./sound.ts";
import type { Found } from "./sound.ts";
import { SqliteJournal } from "./sqlite-journal.ts";
import { UseLock } from "./use-lock.ts";
import { isRemote } from "./volume.ts";

export interface OpenJournalDeps extends JournalOptions {
  readonly clock: Clock;
  readonly newId: NewId;
  /** How long to go on while another program keeps the database locked; 10 s where it is not given. */
  readonly patienceMs?: number;
}

/** What a person should be told once. */
export interface OpenReport {
  readonly sqliteVersion: string;
  /** The slower rollback journal is used: this SQLite has a bug in WAL mode, or the folder is on a remote volume. */
  readonly slowMode: boolean;
  /** The folder is on a volume of another machine, where locks between machines may not hold. */
  readonly remoteVolume: boolean;
  /** The schema before, where it was raised; 0 for a new journal. */
  readonly migratedFrom?: number;
  /** A damaged journal was found: it was kept under these names, and what could be read was taken over. */
  readonly damaged?: NonNullable<Found["damaged"]>;
}

export type OpenedJournal =
  | { readonly kind: "opened"; readonly journal: SqliteJournal; readonly report: OpenReport }
  | {
      readonly kind: "unavailable";
      /** `no-sqlite`: this editor's Node lacks it; `newer`: a newer version of the extension wrote it. */
      readonly reason: JournalError["reason"] | "no-sqlite" | "newer";
      readonly message: string;
    };

/**
 * Opens the journal in a folder that belongs to it, and makes both where they are missing. A damaged journal is set aside
 * under another name, never deleted, and what can be read of it is taken over.
 */
export async function openJournal(directory: string, deps: OpenJournalDeps): Promise<OpenedJournal> {
  const module = sqlite();
  if (module === undefined) {
    const message = "This editor has no node:sqlite. Update the editor to keep the queue on disk.";
    return { kind: "unavailable", reason: "no-sqlite", message };
  }
  const { patienceMs = 10_000 } = deps;
  const leastReader = deps.codec === undefined ? 0 : codecSchema;
  let use: UseLock | undefined;
  try {
    await makeFolder(directory);
    const sqliteVersion = versionOf(module);
    const remoteVolume = await isRemote(directory);
    const slowMode = remoteVolume || !walIsSafe(sqliteVersion);
    const held = (use = new UseLock(module, join(directory, "in-use.sqlite")));
    const mode = slowMode ? "TRUNCATE" : "WAL";
    const place = { module, directory, mode, patienceMs, leastReader } as const;
    const { db, migrated, damaged } = await openSound(place, held);
    if (migrated.kind === "newer") {
      db.close();
      held.close();
      const message = `The journal in ${directory} was written by a newer version. Update this extension; nothing was changed.`;
      return { kind: "unavailable", reason: "newer", message };
    }
    const bodies = new Bodies(join(directory, "bodies"));
    const ballast = new Ballast(join(directory, "ballast"));
    await ballast.keep();
    const closed = (): void => held.close();
    const inPlace = sameFile(journalFile(directory));
    const files = { db, bodies, ballast, directory, inPlace };
    const journal = new SqliteJournal({ ...deps, ...files, patienceMs, closed });
    const report = {
      sqliteVersion,
      slowMode,
      remoteVolume,
      ...(migrated.kind === "migrated" ? { migratedFrom: migrated.from } : {}),
      ...(damaged === undefined ? {} : { damaged }),
    };
    return { kind: "opened", journal, report };
  } catch (error) {
    use?.close();
    const translated = journalError(error, directory);
    if (!(translated instanceof JournalError)) throw error;
    return { kind: "unavailable", reason: translated.reason, message: translated.message };
  }
}

/** Prompts and paths are private: only the user may look into a folder that was made here. */
async function makeFolder(directory: string): Promise<void> {
  const made = await mkdir(directory, { recursive: true, mode: 0o700 });
  if (made !== undefined) await chmod(directory, 0o700);
}
