import { setTimeout as sleep } from "node:timers/promises";

export interface UntilOptions {
  /** Milliseconds before giving up. */
  readonly timeout?: number;
  /** Milliseconds between two looks. */
  readonly interval?: number;
}

/** Asks again and again until the answer is neither undefined nor false; rejects with what was waited for. */
export async function until<Value>(
  what: string,
  ask: () => Value | Promise<Value>,
  { timeout = 30_000, interval = 50 }: UntilOptions = {},
): Promise<Exclude<Value, undefined | false>> {
  const deadline = Date.now() + timeout;
  for (;;) {
    const value = await ask();
    if (value !== undefined && value !== false) return value as Exclude<Value, undefined | false>;
    if (Date.now() > deadline) throw new Error(`Waited ${timeout / 1000} s in vain for ${what}`);
    await sleep(interval);
  }
}
