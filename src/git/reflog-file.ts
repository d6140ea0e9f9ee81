import { open } from "node:fs/promises";
import { join } from "node:path";

/** One entry of a reflog: what moved the ref from where to where. */
export interface ReflogEntry {
  /** All zeros where the ref began. */
  readonly old: string;
  readonly oid: string;
  readonly message: string;
}

const CHUNK = 4096;
const NEWLINE = 10;

/**
 * The newest entry of a branch's reflog, which costs no process. `undefined` where it is not in a file of its own, as with
 * reftables, or is not there.
 */
export async function newestEntry(commonDir: string, branch: string): Promise<ReflogEntry | undefined> {
  try {
    const line = await lastLine(join(commonDir, "logs", ...branch.split("/")));
    return line === undefined ? undefined : parse(line);
  } catch {
    return undefined;
  }
}

async function lastLine(file: string): Promise<string | undefined> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    for (let length = Math.min(CHUNK, size); length > 0; length = Math.min(2 * length, size)) {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length);
      // A line that is still being written has no end yet.
      if (bytesRead < length || buffer[length - 1] !== NEWLINE) return undefined;
      const before = buffer.lastIndexOf(NEWLINE, length - 2);
      if (before >= 0 || length === size) return buffer.subarray(before + 1, length - 1).toString("utf8");
    }
    return undefined;
  } finally {
    await handle.close();
  }
}

/** Old and new value, who (an address holds no `>`), when, a tab, the message: git's refs/files-backend.c. */
function parse(line: string): ReflogEntry | undefined {
  const [, old, oid, message] = /^([0-9a-f]+) ([0-9a-f]+) [^>]*> \d+ [+-]\d+\t(.*)$/.exec(line) ?? [];
  return old === undefined || oid === undefined || message === undefined ? undefined : { old, oid, message };
}
