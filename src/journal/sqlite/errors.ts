import { JournalError } from "../../core/errors.ts";

/** Primary result codes of SQLite: https://www.sqlite.org/rescode.html */
const busy = 5;
const locked = 6;
const readOnly = 8;
const inputOutput = 10;
const corrupt = 11;
const full = 13;
const cannotOpen = 14;
const notADatabase = 26;

/** SQLite's primary result code, where the error is one of SQLite's. */
function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number")
    return undefined;
  return error.errcode & 0xff;
}

/** Another window writes at this moment; the same again in a moment may succeed. */
export function isBusy(error: unknown): boolean {
  const code = codeOf(error);
  return code === busy || code === locked;
}

export function isDamage(error: unknown): boolean {
  const code = codeOf(error);
  return code === corrupt || code === notADatabase;
}

/** The file system does not do what was asked, as one that cannot lock. */
export const isDeviceTrouble = (error: unknown): boolean => codeOf(error) === inputOutput;

/** What a person can do about a failure of SQLite or of the file system; other errors come back as they are. */
export function journalError(error: unknown, directory: string): unknown {
  const options = { cause: error };
  switch (codeOf(error) ?? systemCode(error)) {
    case busy:
    case locked:
      return new JournalError(
        "locked",
        `The journal in ${directory} is kept locked by another program. Close it and try again.`,
        options,
      );
    case readOnly:
    case "EROFS":
    case "EACCES":
    case "EPERM":
      return new JournalError(
        "read-only",
        `The journal in ${directory} cannot be written. Make the folder writable and reload the window.`,
        options,
      );
    case full:
    case "ENOSPC":
    case "EDQUOT":
      return new JournalError(
        "full",
        `The volume of ${directory} is full. Free some space there and try again; what was accepted before is intact.`,
        options,
      );
    case corrupt:
    case notADatabase:
      return new JournalError(
        "damaged",
        `The journal in ${directory} is damaged. Reload the window to have it set aside and salvaged.`,
        options,
      );
    case cannotOpen:
    case "ENOENT":
    case "ENOTDIR":
    case "EEXIST":
      return new JournalError(
        "unavailable",
        `The journal in ${directory} cannot be opened. Check that the folder exists and can be written.`,
        options,
      );
    case undefined:
      return error;
    default:
      return new JournalError(
        "unavailable",
        `The journal in ${directory} failed: ${(error as Error).message}`,
        options,
      );
  }
}

/** The code of a system call that failed, such as `ENOENT`. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  return "syscall" in error ? error.code : undefined;
}
