import type { Answer, CallOptions, Failure } from "../provider.ts";
import type { ProviderDeps } from "./deps.ts";

export interface Access {
  readonly apiKey: string;
  /** Empty: the provider's own address. */
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
}

const noKey: Failure = { kind: "account", reason: "no-key", message: "No API key is set", acted: "no" };

/** One account at one address: keeps the SDK's client as long as key and address stay, and makes values of what it throws. */
export class Connection<Client> {
  readonly #deps: ProviderDeps;
  readonly #connect: (access: Access) => Promise<Client>;
  readonly #failure: (error: unknown, now: number) => Failure;
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
    const apiKey = await this.#deps.apiKey();
    if (apiKey === undefined || apiKey === "") return { kind: "failed", failure: noKey };
    try {
      const client = await this.#client(apiKey);
      options.meter.httpRequests += 1;
      return {
        kind: "ok",
        value: await request(client, options.signal === undefined ? {} : { signal: options.signal }),
      };
    } catch (error) {
      return { kind: "failed", failure: this.#failure(error, this.#deps.clock.now()) };
    }
  }

  #client(apiKey: string): Promise<Client> {
    const baseUrl = this.#deps.baseUrl();
    const key = `${baseUrl}\n${apiKey}`;
    if (this.#current?.key !== key) {
      // Looked up at the time of the call: the editor may replace the global one.
      const send: typeof fetch = (...request) => (this.#deps.fetch ?? globalThis.fetch)(...request);
      this.#current = { key, client: this.#connect({ apiKey, baseUrl, fetch: send }) };
    }
    return this.#current.client;
  }
}
