import { rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../../core/errors.ts";
import { Cancelled } from "../commands/cancelled.ts";
import type { AnsweredRequests } from "./answered.ts";
import { titleOf } from "./title.ts";

export interface SaveWatch {
  readonly signal?: AbortSignal;
  /** `share`: of the batch, from 0 to 1. */
  readonly progress?: (share: number) => void;
}

/**
 * Writes the text of every answer of a batch to a file of its own; a file that is there already is never overwritten. Where
 * it cannot be finished, what it wrote is taken away again. Rejects with `InputError`, and with `Cancelled` when aborted.
 */
export async function saveAll(
  batch: string,
  folder: string,
  answered: Pick<AnsweredRequests, "ofBatch" | "find">,
  { signal, progress }: SaveWatch = {},
): Promise<readonly string[]> {
  const requests = await answered.ofBatch(batch);
  const info = await stat(folder).catch(() => undefined);
  if (!info?.isDirectory()) throw new InputError("folder", `there is no folder ${folder}`);
  const free = new FreeNames(folder);
  const files: string[] = [];
  try {
    for (const [index, { id, label }] of requests.entries()) {
      if (signal?.aborted) throw new Cancelled();
      const { text } = (await answered.find(id)).result;
      if (text !== undefined) files.push(await free.write(titleOf(label), text));
      progress?.((index + 1) / requests.length);
    }
  } catch (error) {
    for (const file of files) await rm(file, { force: true });
    throw error;
  }
  return files;
}

/** Gives each file of a title the next number, for most labels of a batch begin alike. */
class FreeNames {
  readonly #folder: string;
  readonly #next = new Map<string, number>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async write(title: string, text: string): Promise<string> {
    for (let n = this.#next.get(title) ?? 1; ; n += 1) {
      const file = join(this.#folder, `${title}${n === 1 ? "" : `-${n}`}.md`);
      try {
        await writeFile(file, text, { flag: "wx" });
        this.#next.set(title, n + 1);
        return file;
      } catch (error) {
        const code = error instanceof Error && "code" in error ? error.code : undefined;
        if (code !== "EEXIST")
          throw new InputError(
            "folder",
            `cannot be written: ${error instanceof Error ? error.message : String(error)}`,
          );
      }
    }
  }
}
