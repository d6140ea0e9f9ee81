const FIRST_MS = 500;
const LONGEST_MS = 30_000;

/** Doubles from half a second to half a minute, each with up to half of it as jitter, so that windows do not march in step. */
export function backoffMs(attempt: number, random: () => number = Math.random): number {
  const base = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 16));
  return base / 2 + random() * (base / 2);
}
