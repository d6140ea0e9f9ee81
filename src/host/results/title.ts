const MAX_LENGTH = 60;

/** A request's label as one file name. */
export function titleOf(label: string): string {
  const words = label.replace(/[^\p{L}\p{N}._-]+/gu, " ").trim();
  // A name of dots means a folder, and one that starts with a dot hides.
  const visible = words.replace(/^[.\s]+/, "");
  return Array.from(visible).slice(0, MAX_LENGTH).join("").trim() || "result";
}
