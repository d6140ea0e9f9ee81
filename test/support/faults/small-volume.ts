import { execFile } from "node:child_process";
import { mkdtemp, open, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const SIZE = "6m";

/** A volume of its own that is soon full. Only the administrator of a Linux can make one. */
export class SmallVolume {
  readonly folder: string;

  static readonly possible = process.platform === "linux" && process.getuid?.() === 0;

  static async create(): Promise<SmallVolume> {
    const folder = await realpath(await mkdtemp(path.join(tmpdir(), "batch-control-volume-")));
    await run("mount", ["-t", "tmpfs", "-o", `size=${SIZE}`, "none", folder]);
    return new SmallVolume(folder);
  }

  private constructor(folder: string) {
    this.folder = folder;
  }

  get #filler(): string {
    return path.join(this.folder, "filler");
  }

  /** Takes all the room there is. */
  async fill(): Promise<void> {
    const file = await open(this.#filler, "a");
    try {
      for (const size of [64 * 1024, 512, 1])
        for (;;)
          if (
            !(await file.write(Buffer.alloc(size)).then(
              ({ bytesWritten }) => bytesWritten > 0,
              () => false,
            ))
          )
            break;
    } finally {
      await file.close();
    }
  }

  empty(): Promise<void> {
    return rm(this.#filler, { force: true });
  }

  async close(): Promise<void> {
    await run("umount", ["-l", this.folder]);
    await rm(this.folder, { recursive: true, force: true });
  }
}
