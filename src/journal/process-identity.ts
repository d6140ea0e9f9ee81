import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import type { ProcessIdentity } from "../core/effect.ts";

const run = promisify(execFile);

/** This process, told from any later one with the same number. */
export async function ownIdentity(): Promise<ProcessIdentity> {
  return { pid: process.pid, start: (await startOf(process.pid)) ?? "" };
}

/** Whether that very process still runs. One that has ended but was not waited for yet counts as ended. */
export async function isAlive({ pid, start }: ProcessIdentity): Promise<boolean> {
  const found = await startOf(pid);
  return found !== undefined && found === start;
}

/** When a process started, in the words of the system; `undefined` where it has ended. */
export async function startOf(pid: number): Promise<string | undefined> {
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  if (process.platform === "linux") return linuxStart(pid);
  const [command, ...args] =
    process.platform === "win32"
      ? ["powershell.exe", "-NoProfile", "-Command", `(Get-Process -Id ${pid}).StartTime.ToFileTimeUtc()`]
      : ["ps", "-o", "lstart=", "-p", String(pid)];
  try {
    // The time is printed in words and in the local zone, which both may change while the process runs.
    const { stdout } = await run(command, args, { env: { ...process.env, LC_ALL: "C", TZ: "UTC" } });
    return stdout.trim() || undefined;
  } catch (error) {
    // Both answer with an exit code where there is no such process; anything else means that the question failed.
    if (error instanceof Error && "code" in error && typeof error.code === "number") return undefined;
    throw error;
  }
}

/** Field 22 of /proc/PID/stat, ticks since boot; the name in field 2 may hold spaces and parentheses. See proc(5). */
async function linuxStart(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields?.[0] === "Z" || fields?.[0] === "X" ? undefined : fields?.[19];
}

/** The identity of a running process; `undefined` where it has ended. */
export async function identify(pid: number): Promise<ProcessIdentity | undefined> {
  const start = await startOf(pid);
  return start === undefined ? undefined : { pid, start };
}
