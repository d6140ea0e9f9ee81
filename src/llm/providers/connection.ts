import { AsyncLocalStorage } from "node:async_hooks";
import type { AccountReason, Answer, CallOptions, Failure } from "../provider.ts";
import type { ProviderDeps } from "./deps.ts";
import { unsent } from "./failure.ts";
import { withoutKeys } from "./mask.ts";

export interface Access {
  readonly apiKey: string;
  /** Empty: the provider's own address. */
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
}

/** What keeps a call from being sent at all. */
function unusable(apiKey: string | undefined, baseUrl: string): Failure | undefined {
  const failure = (reason: AccountReason, message: string): Failure => ({
    kind: "account",
    reason,
    message,
    acted: "no",
  });
  if (apiKey === undefined || apiKey === "") return failure("no-key", "No API key is set");
  // What fetch says of such a key repeats it.
  if (!/^[\x21-\x7e]+$/u.test(apiKey))
    return failure("key-unusable", "The API key holds a character that no key has, such as a line break");
  if (baseUrl !== "" && !/^https?:$/u.test(URL.parse(baseUrl)?.protocol ?? ""))
    return failure("address-unusable", "The API address is not one that begins with http:// or https://");
  return undefined;
}

/** One account at one address: keeps the SDK's client as long as key and address stay, and makes values of what it throws. */
export class Connection<Client> {
  readonly #deps: ProviderDeps;
  readonly #connect: (access: Access) => Promise<Client>;
  readonly #failure: (error: unknown, now: number) => Failure;
  /** Tells whether a call got as far as `fetch`. */
  readonly #sending = new AsyncLocalStorage<{ sent: boolean }>();
  /** Keys that were sent from here, so that none is taken over from what comes back. */
  readonly keys = new Set<string>();
  #current: { readonly key: string; readonly client: Promise<Client> } | undefined;

  constructor(
    deps: ProviderDeps,
    connect: (access: Access) => Promise<Client>,
    failure: (error: unknown, now: number) => Failure,
  ) {
    this.#deps = deps;
    this.#connect = connect;
    this.#failure = failure;
  }

  /** Makes one HTTP request through the client and counts it. */
  async ask<Value>(
    options: CallOptions,
    request: (client: Client, signal: { readonly signal?: AbortSignal }) => PromiseLike<Value>,
  ): Promise<Answer<Value>> {
    const apiKey = (await this.#deps.apiKey()) ?? "";
    const failure = unusable(apiKey, this.#deps.baseUrl());
    if (failure !== undefined) return { kind: "failed", failure };
    this.keys.add(apiKey);
    const progress = { sent: false };
    const signal = options.signal === undefined ? {} : { signal: options.signal };
    try {
      const client = await this.#client(apiKey);
      const value = await this.#sending.run(progress, async () => request(client, signal));
      return { kind: "ok", value };
    } catch (error) {
      return { kind: "failed", failure: this.#failureOf(error, progress.sent) };
    } finally {
      if (progress.sent) options.meter.httpRequests += 1;
    }
  }

  #failureOf(error: unknown, sent: boolean): Failure {
    return withoutKeys(sent ? this.#failure(error, this.#deps.clock.now()) : unsent(error), this.keys);
  }

  #client(apiKey: string): Promise<Client> {
    const baseUrl = this.#deps.baseUrl();
    const key = `${baseUrl}\n${apiKey}`;
    if (this.#current?.key !== key) {
      // Looked up at the time of the call: the editor may replace the global one.
      const send: typeof fetch = (...request) => {
        const progress = this.#sending.getStore();
        if (progress !== undefined) progress.sent = true;
        return (this.#deps.fetch ?? globalThis.fetch)(...request);
      };
      this.#current = { key, client: this.#connect({ apiKey, baseUrl, fetch: send }) };
    }
    return this.#current.client;
  }
}
