/** The server's time: the real one plus what tests moved it forward by. */
export class VirtualClock {
  private offset = 0;

  now(): number {
    return Date.now() + this.offset;
  }

  advance(ms: number): void {
    this.offset += ms;
  }
}

/** The form the Anthropic API gives its times in. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
