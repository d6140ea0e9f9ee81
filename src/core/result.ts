import type { FinalStatus } from "./operation.ts";

/** Tokens of one answered request, as the provider counted them. */
export interface Usage {
  /** Uncached input only. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
}

export interface RefChange {
  readonly ref: string;
  /** Object id before, all zeros where the ref did not exist. */
  readonly old: string;
  readonly new: string;
}

/** The outcome of one operation. `costUsd: null` means the price is unknown. */
export interface Result {
  readonly id: string;
  readonly status: FinalStatus;
  readonly error?: string;
  /** A stable word that code may branch on. */
  readonly reason?: string;
  readonly commit?: string;
  readonly refs?: readonly RefChange[];
  readonly text?: string;
  /** The provider's own message, unchanged. */
  readonly message?: unknown;
  readonly usage?: Usage;
  readonly costUsd?: number | null;
  readonly durationMs?: number;
}
