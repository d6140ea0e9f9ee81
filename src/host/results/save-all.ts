import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../../core/errors.ts";
import type { AnsweredRequests } from "./answered.ts";
import { titleOf } from "./title.ts";

/** Writes the text of every answer of a batch to a file of its own; a file that is there already is never overwritten. */
export async function saveAll(
  batch: string,
  folder: string,
  answered: Pick<AnsweredRequests, "ofBatch" | "find">,
): Promise<readonly string[]> {
  const requests = await answered.ofBatch(batch);
  const info = await stat(folder).catch(() => undefined);
  if (!info?.isDirectory()) throw new InputError("folder", `there is no folder ${folder}`);
  const files: string[] = [];
  for (const { id, label } of requests) {
    const { text } = (await answered.find(id)).result;
    if (text !== undefined) files.push(await writeNew(folder, titleOf(label), text));
  }
  return files;
}

async function writeNew(folder: string, title: string, text: string): Promise<string> {
  for (let n = 1; ; n++) {
    const file = join(folder, `${title}${n === 1 ? "" : `-${n}`}.md`);
    try {
      await writeFile(file, text, { flag: "wx" });
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
