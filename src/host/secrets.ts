import { EventEmitter } from "vscode";
import type { Disposable, Event, SecretStorage } from "vscode";
import { keyVariables, providers } from "./key-variables.ts";
import type { Provider } from "./key-variables.ts";

export { providers } from "./key-variables.ts";
export type { Provider } from "./key-variables.ts";

const nameOf = (provider: Provider): string => `apiKey.${provider}`;

/** API keys: stored as secrets, else taken from the environment. They are never logged and never part of an error. */
export class ApiKeys implements Disposable {
  readonly #secrets: SecretStorage;
  readonly #environment: Readonly<Record<string, string | undefined>>;
  readonly #changed = new EventEmitter<Provider>();
  readonly #subscription: Disposable;
  /** A key was set or forgotten, in this window or another. */
  readonly onDidChange: Event<Provider> = this.#changed.event;

  constructor(secrets: SecretStorage, environment: Readonly<Record<string, string | undefined>>) {
    this.#secrets = secrets;
    this.#environment = environment;
    this.#subscription = secrets.onDidChange(({ key }) => {
      const provider = providers.find((candidate) => nameOf(candidate) === key);
      if (provider) this.#changed.fire(provider);
    });
  }

  async get(provider: Provider): Promise<string | undefined> {
    const stored = await this.#secrets.get(nameOf(provider));
    return stored ?? this.#fromEnvironment(provider);
  }

  async set(provider: Provider, key: string): Promise<void> {
    await this.#secrets.store(nameOf(provider), key);
  }

  /** Answers the environment variable that gives a key all the same, where there is one. */
  async forget(provider: Provider): Promise<string | undefined> {
    await this.#secrets.delete(nameOf(provider));
    return this.#fromEnvironment(provider) === undefined ? undefined : keyVariables[provider];
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  #fromEnvironment(provider: Provider): string | undefined {
    const value = this.#environment[keyVariables[provider]]?.trim();
    return value === "" ? undefined : value;
  }
}
