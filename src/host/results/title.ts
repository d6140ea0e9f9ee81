const MAX_LENGTH = 60;

/** What Windows takes for a device, whatever follows a dot: https://learn.microsoft.com/en-us/windows/win32/fileio/naming-a-file */
const device = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(?=\.|$)/i;

/** A request's label as one file name. */
export function titleOf(label: string): string {
  // Composed, so that what is equal to a person has one name.
  const words = label
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, " ")
    .trim();
  // A name of dots means a folder, and one that starts with a dot hides.
  const visible = words.replace(/^[.\s]+/, "");
  const title = Array.from(visible).slice(0, MAX_LENGTH).join("").trim() || "result";
  return title.replace(device, "$&_");
}
