import type { Logger } from "../../core/ports.ts";

export interface Account {
  /** The login on github.com. */
  readonly name: string;
  readonly token: string;
}

/** `refused` stays; without an answer the next window may ask again. */
export type Consent = "given" | "refused";

export interface GithubDeps {
  /** The account that this extension may use already. Shows nothing. */
  readonly account: () => Promise<Account | undefined>;
  /** As `account`, but a person may be asked to sign in: only after they agreed. */
  readonly signIn: () => Promise<Account | undefined>;
  /** Asks for consent; `undefined` when dismissed or when there is nobody to ask. */
  readonly ask: () => Promise<Consent | undefined>;
  /** The remembered consent. */
  readonly consent: { get(): Consent | undefined; set(consent: Consent): PromiseLike<void> };
  readonly log: Pick<Logger, "info">;
}

/** Answers git for exactly https://github.com with the account of the editor, once the user has agreed to that. */
export class GithubCredentials {
  readonly #deps: GithubDeps;
  #asked = false;
  #pending: Promise<Account | undefined> | undefined;

  constructor(deps: GithubDeps) {
    this.#deps = deps;
  }

  /** `prompt`: what git says to an askpass program. */
  async answer(prompt: string): Promise<string | undefined> {
    const wanted = wantedBy(prompt);
    if (!wanted) return undefined;
    const account = await this.#account();
    if (!account) return undefined;
    if (wanted.user !== undefined && wanted.user.toLowerCase() !== account.name.toLowerCase()) {
      this.#deps.log.info(
        "A push to github.com is for another account than the editor's; it is not answered.",
      );
      return undefined;
    }
    return wanted.what === "Username" ? account.name : account.token;
  }

  async #account(): Promise<Account | undefined> {
    const { account, consent } = this.#deps;
    const given = consent.get();
    if (given === "refused") return undefined;
    return (given === "given" ? await account() : undefined) ?? this.#askedOnce();
  }

  /** All who need it share one question; once it is over, this window asks no more. */
  #askedOnce(): Promise<Account | undefined> {
    if (this.#asked) return this.#pending ?? Promise.resolve(undefined);
    this.#asked = true;
    this.#pending = this.#ask().finally(() => (this.#pending = undefined));
    return this.#pending;
  }

  async #ask(): Promise<Account | undefined> {
    const { ask, consent, signIn } = this.#deps;
    const said = await ask();
    if (said === undefined) return undefined;
    await consent.set(said);
    return said === "given" ? signIn() : undefined;
  }
}

interface Wanted {
  readonly what: "Username" | "Password";
  /** The account that the address or git itself names. */
  readonly user?: string;
}

/**
 * As strict as can be: older gits put the parts of an address into this text as they are, so that another host can be made
 * to look like this one by a reader of URLs (CVE-2024-50349).
 */
function wantedBy(prompt: string): Wanted | undefined {
  const found = /^(Username|Password) for 'https:\/\/(?:([A-Za-z0-9_-]+)@)?github\.com': ?$/.exec(prompt);
  if (!found) return undefined;
  const what = found[1] === "Username" ? "Username" : "Password";
  return found[2] === undefined ? { what } : { what, user: found[2] };
}
