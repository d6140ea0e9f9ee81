/** What a decoder puts where it finds no character. */
const REPLACEMENT = "\ufffd";

/** A text that was read from these bytes lacks what they hold: it has replacements that are no characters of a UTF-8 file. */
export function lostCharacters(text: string, bytes: Uint8Array): boolean {
  if (!text.includes(REPLACEMENT)) return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return false;
  } catch {
    return true;
  }
}
