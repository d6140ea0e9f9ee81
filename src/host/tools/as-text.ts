/** Enough for dozens of answers, and no more than most models read. */
const MAX_CHARACTERS = 60_000;
const MIN_SHARE = 40;
/** Characters that an entry of a list takes at least. */
const PER_ENTRY = 20;

/**
 * An answer as JSON. Where it has no room, its long texts and lists are cut, each as little as possible, and say how long they
 * were. What is then still too long is told as it is, for half of a JSON value says nothing.
 */
export function asText(answer: unknown, room = MAX_CHARACTERS): string {
  const most = Math.min(room, MAX_CHARACTERS);
  let text = JSON.stringify(answer, undefined, 1);
  for (let share = most; text.length > most && share >= MIN_SHARE; share = Math.floor(share / 2))
    text = JSON.stringify(answer, (_key, value: unknown) => shortened(value, share), 1);
  return text;
}

function shortened(value: unknown, share: number): unknown {
  if (typeof value === "string" && value.length > share)
    return `${value.slice(0, share).toWellFormed()}… (cut; ${value.length} characters in all)`;
  const entries = Math.floor(share / PER_ENTRY);
  if (Array.isArray(value) && value.length > entries)
    return [...(value as unknown[]).slice(0, entries), `… (cut; ${value.length} entries in all)`];
  return value;
}
