import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Logger } from "../../src/core/ports.ts";

const nothing = (): void => undefined;
export const silent: Logger = {
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
};

export interface Watched {
  readonly seconds: number;
  /** Of the whole process, buffers and SQLite's cache included. */
  readonly peakMb: number;
  readonly heapMb: number;
  readonly stallMs: number;
}

const SAMPLE_MS = 20;

/** Runs some work and tells the most memory that this process used and the longest time that its event loop stood still meanwhile. */
export async function watchProcess<Value>(
  work: () => Promise<Value>,
): Promise<{ readonly value: Value; readonly watched: Watched }> {
  let [rss, heap] = [0, 0];
  const sample = (): void => {
    const { rss: now, heapUsed } = process.memoryUsage();
    rss = Math.max(rss, now);
    heap = Math.max(heap, heapUsed);
  };
  const delays = monitorEventLoopDelay({ resolution: 5 });
  delays.enable();
  const timer = setInterval(sample, SAMPLE_MS);
  const started = performance.now();
  try {
    const value = await work();
    sample();
    const seconds = Math.round((performance.now() - started) / 100) / 10;
    const stallMs = Math.round(delays.max / 1e6);
    return {
      value,
      watched: { seconds, peakMb: Math.round(rss / 1e6), heapMb: Math.round(heap / 1e6), stallMs },
    };
  } finally {
    clearInterval(timer);
    delays.disable();
  }
}
