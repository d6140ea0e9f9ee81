import type { VirtualClock } from "./clock.ts";
import { isoTime } from "./clock.ts";

const minute = 60_000;

/** Counts calls in windows of a minute, one count per workspace. */
export class RateLimit {
  private readonly windows = new Map<string, { start: number; used: number }>();
  private readonly perMinute: number;
  private readonly clock: VirtualClock;

  constructor(perMinute: number, clock: VirtualClock) {
    this.perMinute = perMinute;
    this.clock = clock;
  }

  /** Counts one call. `retryAfter` is in seconds and set when the call is over the limit. */
  use(workspace: string): { readonly headers: Record<string, string>; readonly retryAfter?: number } {
    const now = this.clock.now();
    let window = this.windows.get(workspace);
    if (window === undefined || now - window.start >= minute) {
      window = { start: now, used: 0 };
      this.windows.set(workspace, window);
    }
    window.used += 1;
    const reset = window.start + minute;
    const headers = {
      "anthropic-ratelimit-requests-limit": String(this.perMinute),
      "anthropic-ratelimit-requests-remaining": String(Math.max(0, this.perMinute - window.used)),
      "anthropic-ratelimit-requests-reset": isoTime(reset),
    };
    return window.used > this.perMinute
      ? { headers, retryAfter: Math.max(1, Math.ceil((reset - now) / 1000)) }
      : { headers };
  }
}
