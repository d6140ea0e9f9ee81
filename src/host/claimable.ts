import type { Logger } from "../core/ports.ts";

export interface ClaimableDeps {
  readonly isTrusted: () => boolean;
  readonly folders: () => readonly string[];
  /** The lane of the repository that a folder lies in; `undefined` where it lies in none. */
  readonly laneOf: (folder: string) => Promise<string | undefined>;
  readonly providers: readonly string[];
  readonly claim: (lanes: readonly string[]) => void;
  readonly log: Logger;
}

/** Tells the runner which lanes this window may execute: none untrusted, its open repositories, and all providers. */
export class Claimable {
  readonly #deps: ClaimableDeps;
  #updating: Promise<void> = Promise.resolve();

  constructor(deps: ClaimableDeps) {
    this.#deps = deps;
  }

  /** Reads the folders again; updates never overlap, and the last one wins. */
  update(): Promise<void> {
    this.#updating = this.#updating
      .then(() => this.#update())
      .catch((error: unknown) => this.#deps.log.error("Finding the open repositories failed.", error));
    return this.#updating;
  }

  async #update(): Promise<void> {
    const { isTrusted, folders, laneOf, providers, claim } = this.#deps;
    if (!isTrusted()) {
      claim([]);
      return;
    }
    const lanes = await Promise.all(folders().map(laneOf));
    const git = lanes.filter((lane) => lane !== undefined);
    claim([...new Set(git), ...providers.map((provider) => `llm:${provider}`)]);
  }
}
