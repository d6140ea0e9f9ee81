/** Time, so that tests own it. */
export interface Clock {
  /** Milliseconds since 1970; for display and `enqueuedAt`, never for leadership. */
  now(): number;
  /** Calls back once; the returned function cancels. */
  after(ms: number, callback: () => void): () => void;
}

export interface Logger {
  trace(message: string): void;
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string, error?: unknown): void;
}

/** Makes a UUIDv7. */
export type NewId = () => string;

export interface Disposable {
  dispose(): void;
}
