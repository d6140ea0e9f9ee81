/** Enough for dozens of answers, and no more than most models read. */
const MAX_CHARACTERS = 60_000;
const MIN_SHARE = 200;

/**
 * An answer as JSON. Where it has no room, its long texts are cut, each as little as possible, and say how long they were;
 * what is then still too long is told as it is, for half of a JSON value says nothing.
 */
export function asText(answer: unknown, room = MAX_CHARACTERS): string {
  const whole = JSON.stringify(answer, undefined, 1);
  const most = Math.min(room, MAX_CHARACTERS);
  if (whole.length <= most) return whole;
  for (let share = most; share >= MIN_SHARE; share = Math.floor(share / 2)) {
    const cut = JSON.stringify(answer, (_key, value: unknown) => shortened(value, share), 1);
    if (cut.length <= most) return cut;
  }
  return JSON.stringify(answer, (_key, value: unknown) => shortened(value, MIN_SHARE));
}

function shortened(value: unknown, most: number): unknown {
  if (typeof value !== "string" || value.length <= most) return value;
  return `${value.slice(0, most).toWellFormed()}… (cut; ${value.length} characters in all)`;
}
