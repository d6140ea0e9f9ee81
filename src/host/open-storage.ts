import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { env, l10n } from "vscode";
import { JournalError } from "../core/errors.ts";
import type { LaneLocks } from "../core/executor.ts";
import type { EnqueueOutcome, Journal } from "../core/journal.ts";
import type { NewOperation, Origin } from "../core/operation.ts";
import type { Clock, NewId } from "../core/ports.ts";
import { SqliteLaneLocks } from "../journal/lane-locks.ts";
import { MemoryJournal } from "../journal/memory-journal.ts";
import { MemoryLaneLocks } from "../journal/memory-lane-locks.ts";
import { openJournal, type OpenedJournal } from "../journal/sqlite/open-journal.ts";
import { userFolder } from "../journal/user-folder.ts";
import { damageText } from "./damage-text.ts";
import type { Log } from "./log.ts";
import { failureText } from "./reason-words.ts";
import { notify, showMessage } from "./ui/tell.ts";

export interface Storage {
  readonly journal: Journal;
  readonly locks: LaneLocks;
  /** An existing folder for what is on its way. */
  readonly tempDir: string;
}

export interface StorageDeps {
  /** This extension's own folder, shared by all windows of the user. */
  readonly folder: string;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  /** This window. */
  readonly origin: Origin;
}

/** The durable journal; where there can be none, one in memory that accepts nothing until the user agreed to it. */
export async function openStorage({ folder, log, ...deps }: StorageDeps): Promise<Storage> {
  const opened = await openJournal(folder, deps);
  if (opened.kind === "unavailable") {
    log.error(`The journal cannot be used: ${opened.message}`);
    const journal = new ConsentedMemoryJournal(deps, opened.message);
    void askForConsent(journal, failureText(opened.message, undefined, l10n.t), log);
    return {
      journal,
      locks: new MemoryLaneLocks(),
      tempDir: await mkdtemp(join(tmpdir(), "batch-control-")),
    };
  }
  report(opened, log);
  const user = join(userFolder(), "locks");
  const tempDir = join(folder, "temp");
  await mkdir(tempDir, { recursive: true, mode: 0o700 });
  return { journal: opened.journal, locks: new SqliteLaneLocks({ storage: folder, user }), tempDir };
}

class ConsentedMemoryJournal extends MemoryJournal {
  readonly #refusal: string;
  #agreed = false;

  constructor(deps: ConstructorParameters<typeof MemoryJournal>[0], refusal: string) {
    super(deps);
    this.#refusal = refusal;
  }

  agree(): void {
    this.#agreed = true;
  }

  override enqueue(operations: readonly NewOperation[]): Promise<readonly EnqueueOutcome[]> {
    if (this.#agreed) return super.enqueue(operations);
    return Promise.reject(new JournalError("unavailable", this.#refusal));
  }
}

async function askForConsent(journal: ConsentedMemoryJournal, message: string, log: Log): Promise<void> {
  const memory = l10n.t("Work from Memory");
  const showLog = l10n.t("Show Log");
  const question = l10n.t(
    "{0} Until then nothing is queued, or the queue lives in memory and is lost when this window closes.",
    message,
  );
  const choice = await showMessage({ severity: "error", message: question }, memory, showLog);
  if (choice === memory) journal.agree();
  if (choice === showLog) log.show();
}

function report(
  { report: { sqliteVersion, slowMode, migratedFrom, damaged } }: Extract<OpenedJournal, { kind: "opened" }>,
  log: Log,
): void {
  log.info(`The journal is open (SQLite ${sqliteVersion}).`);
  if (slowMode)
    log.warn(
      "This SQLite has a bug in its fast mode; the slower one is used. A newer editor brings a newer SQLite.",
    );
  if (migratedFrom !== undefined && migratedFrom > 0)
    log.info(`The journal was raised from version ${migratedFrom}.`);
  if (!damaged) return;
  const { severity, message } = damageText(damaged, l10n.t, env.language);
  log.error(message);
  log.info(`Rows taken over: ${JSON.stringify(damaged.rows)}; kept as ${damaged.keptAs.join(", ")}`);
  notify(severity, message, ["showLog"]);
}
