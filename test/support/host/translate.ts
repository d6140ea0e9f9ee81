import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Translate } from "../../../src/host/l10n.ts";

/** The English text with its placeholders filled in, as the editor does where there is no translation. */
export const fill: Translate = (message, ...args) =>
  message.replace(/\{(\d+)\}/g, (whole, index: string) => String(args[Number(index)] ?? whole));

/** As the editor does in a German window. */
export async function germanTexts(): Promise<Translate> {
  const file = path.resolve(import.meta.dirname, "../../../l10n/bundle.l10n.de.json");
  const texts = JSON.parse(await readFile(file, "utf8")) as Record<string, string>;
  return (message, ...args) => fill(texts[message] ?? message, ...args);
}
