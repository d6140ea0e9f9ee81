import { stripVTControlCharacters } from "node:util";

/**
 * What a hook, a remote or git printed, fit to be shown: escape sequences taken out, as they could hide or recolour what
 * is beside them, and all control characters but line ends and tabs.
 */
export const plainText = (printed: string): string =>
  stripVTControlCharacters(printed)
    .replace(/\r\n?/g, "\n")
    .replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, "");
