import { window } from "vscode";
import type { Disposable } from "vscode";
import type { Logger } from "../core/ports.ts";

/** The core's logger, written to the one channel a person can open. */
export class Log implements Logger, Disposable {
  readonly #channel = window.createOutputChannel("Batch Control", { log: true });

  trace(message: string): void {
    this.#channel.trace(message);
  }

  debug(message: string): void {
    this.#channel.debug(message);
  }

  info(message: string): void {
    this.#channel.info(message);
  }

  warn(message: string): void {
    this.#channel.warn(message);
  }

  error(message: string, error?: unknown): void {
    if (error === undefined) this.#channel.error(message);
    else this.#channel.error(message, error instanceof Error ? (error.stack ?? error.message) : error);
  }

  show(): void {
    this.#channel.show();
  }

  dispose(): void {
    this.#channel.dispose();
  }
}
