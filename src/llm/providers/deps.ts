import type { Clock } from "../../core/ports.ts";

export interface ProviderDeps {
  readonly clock: Clock;
  /** Asked before every call, so that a new key or address acts at once. */
  readonly apiKey: () => Promise<string | undefined>;
  readonly baseUrl: () => string;
  readonly fetch?: typeof fetch;
}
