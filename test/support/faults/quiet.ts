import { readdir, readlink } from "node:fs/promises";

/** Whether no process works in a folder. Where the system does not show that, nobody is taken to. */
export async function isQuiet(folder: string): Promise<boolean> {
  if (process.platform !== "linux") return true;
  for (const pid of await readdir("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    const place = await readlink(`/proc/${pid}/cwd`).catch(() => "");
    if (place === folder || place.startsWith(`${folder}/`)) return false;
  }
  return true;
}
