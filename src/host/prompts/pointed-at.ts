import { stat } from "node:fs/promises";
import { InputError } from "../../core/errors.ts";
import { nameIn } from "../folder-names.ts";
import type { Translate } from "../l10n.ts";
import type { Numbers } from "../numbers.ts";
import { WordedError } from "../worded-error.ts";
import { PROMPT_SUFFIX } from "./prompt-file.ts";
import type { Surroundings } from "./prompt-run.ts";
import { reader } from "./source-file.ts";

/** How many of the files that were found, and not chosen one by one, cannot be sent. */
export interface LeftOut {
  /** Their path leads out of the open folders by a link. */
  readonly outside: number;
  readonly noText: number;
  /** Too large, gone meanwhile, or not to be read. */
  readonly unreadable: number;
}

/** Files to run on, absolute. */
export interface Found {
  readonly files: readonly string[];
  readonly leftOut: LeftOut;
}

export const nothingLeftOut: LeftOut = { outside: 0, noText: 0, unreadable: 0 };

/** What of the window counts for the choice of files. */
export type Around = Pick<Surroundings, "folders" | "unsaved">;

/** Leaves out what cannot be sent of files that nobody named one by one. */
export async function fitToSend(files: readonly string[], around: Around): Promise<Found> {
  const read = await reader(around);
  const fit: string[] = [];
  const leftOut = { ...nothingLeftOut };
  for (const file of files) {
    const obstacle = await read(file, "files").then(() => undefined, obstacleOf);
    if (obstacle === undefined) fit.push(file);
    else leftOut[obstacle] += 1;
  }
  return { files: fit, leftOut };
}

function obstacleOf(error: unknown): keyof LeftOut {
  if (!(error instanceof InputError)) throw error;
  switch (error.reason) {
    case "file-outside":
      return "outside";
    case "file-binary":
      return "noText";
    default:
      return "unreadable";
  }
}

/**
 * What a person pointed at: files as they are, and for each folder the files in it. Rejects where one is gone or a file
 * cannot be sent, and where there is no file at all.
 */
export async function filesPointedAt(
  paths: readonly string[],
  around: Around,
  /** Absolute paths of the files that the editor shows in a folder. */
  filesIn: (folder: string) => Promise<readonly string[]>,
  numbers: Numbers,
  t: Translate,
): Promise<Found> {
  const files: string[] = [];
  const inFolders: string[] = [];
  for (const path of paths) {
    const info = await stat(path).catch(() => undefined);
    if (!info)
      throw new WordedError(
        "file-missing",
        t("{0} is not there any more, so nothing was queued.", nameIn(around.folders(), path)),
      );
    if (info.isDirectory()) inFolders.push(...(await filesIn(path)));
    else files.push(path);
  }
  if (files.length + inFolders.length === 0 && paths.length > 0)
    throw new WordedError(
      "no-files",
      t(
        "{0} holds no file, so nothing was queued.",
        paths.map((path) => nameIn(around.folders(), path)).join(", "),
      ),
    );
  // Early, before the questions. A prompt file is rather what is to be done, so it may come from anywhere.
  const read = await reader(around);
  for (const file of files) if (!file.endsWith(PROMPT_SUFFIX)) await read(file, "files");
  const found = await fitToSend(inFolders, around);
  if (files.length + found.files.length === 0 && paths.length > 0)
    throw nothingFits(found.leftOut, numbers, t);
  return { files: [...new Set([...files, ...found.files])], leftOut: found.leftOut };
}

/** What was left out, in sentences; empty where nothing was. */
export function leftOutText(
  { outside, noText, unreadable }: LeftOut,
  numbers: Numbers,
  t: Translate,
): string {
  return [
    ...(noText > 0 ? [t("Left out, no text: {0}.", numbers.count(noText))] : []),
    ...(outside > 0 ? [t("Left out, outside the open folders by a link: {0}.", numbers.count(outside))] : []),
    ...(unreadable > 0 ? [t("Left out, too large or not to be read: {0}.", numbers.count(unreadable))] : []),
  ].join(" ");
}

export const nothingFits = (leftOut: LeftOut, numbers: Numbers, t: Translate): WordedError =>
  new WordedError(
    "no-files",
    [t("No file was found that can be sent, so nothing was queued."), leftOutText(leftOut, numbers, t)].join(
      " ",
    ),
  );
