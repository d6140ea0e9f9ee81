import type { Translate } from "../../../src/host/l10n.ts";

/** The English text with its placeholders filled in, as the editor does where there is no translation. */
export const fill: Translate = (message, ...args) =>
  message.replace(/\{(\d+)\}/g, (whole, index: string) => String(args[Number(index)] ?? whole));
