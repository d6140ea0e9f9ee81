import type { Logger } from "../../../src/core/ports.ts";

/** Keeps what was logged, so that a test can ask for it. */
export class MemoryLog implements Logger {
  readonly lines: string[] = [];
  trace(message: string): void {
    this.lines.push(`trace ${message}`);
  }
  debug(message: string): void {
    this.lines.push(`debug ${message}`);
  }
  info(message: string): void {
    this.lines.push(`info ${message}`);
  }
  warn(message: string): void {
    this.lines.push(`warn ${message}`);
  }
  error(message: string, error?: unknown): void {
    this.lines.push(`error ${message} ${error instanceof Error ? (error.stack ?? error.message) : ""}`);
  }
}
