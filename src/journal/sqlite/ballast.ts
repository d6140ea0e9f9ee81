import { rm, stat, writeFile } from "node:fs/promises";

const bytes = 1024 * 1024;

/**
 * A file that only takes up room. On a full volume it is let go of, so that the outcome of what was done already can
 * still be written down; without that, the next start would have to find it out from the outside.
 */
export class Ballast {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Makes it where it is missing; where there is no room for it, there is none. */
  async keep(): Promise<void> {
    const size = await stat(this.#path).then(
      (found) => found.size,
      () => 0,
    );
    if (size >= bytes) return;
    // Not zeros: some file systems keep no room for those.
    await writeFile(this.#path, Buffer.alloc(bytes, "ballast "), { mode: 0o600 }).catch(() => this.release());
  }

  /** Answers whether there was any. */
  async release(): Promise<boolean> {
    return rm(this.#path).then(
      () => true,
      () => false,
    );
  }
}
