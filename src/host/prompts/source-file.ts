import { InputError } from "../../core/errors.ts";
import { openFile } from "../open-file.ts";
import { outsideOf } from "./leads-outside.ts";
import type { Surroundings } from "./prompt-run.ts";

/** More than a model can read at once. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** The text of a file. Rejects with `InputError` naming the field and the file where it is missing, too large or no text. */
export async function readSource(path: string, field: string): Promise<string> {
  const refuse = (what: string, reason: string): InputError =>
    new InputError(field, `${path} ${what}`, reason);
  await using file = await openFile(path, field);
  const { size } = await file.stat();
  if (size > MAX_FILE_BYTES)
    throw refuse(
      `is ${(size / 1_000_000).toFixed(1)} MB; a prompt takes at most ${(MAX_FILE_BYTES / 1_000_000).toFixed(1)} MB`,
      "file-too-large",
    );
  const bytes = await file.readFile();
  if (bytes.includes(0)) throw refuse("is binary", "file-binary");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw refuse("is not UTF-8 text", "file-binary");
  }
}

/**
 * Reads files that are to be sent, as the editor has them. It rejects with `InputError` what leads out of the open folders by
 * a link, too, for its name would not tell.
 */
export async function reader(
  around: Pick<Surroundings, "folders" | "unsaved">,
): Promise<(path: string, field: string) => Promise<string>> {
  const isOutside = await outsideOf(around.folders());
  return async (path, field) => {
    if (await isOutside(path))
      throw new InputError(field, `${path} leads out of the open folders by a link`, "file-outside");
    return around.unsaved(path) ?? (await readSource(path, field));
  };
}
