import { createHash } from "node:crypto";

/** Throws that come out the same for the same seed. */
export class Dice {
  #state: number;

  constructor(seed: string) {
    this.#state = createHash("sha256").update(seed).digest().readUInt32BE(0);
  }

  /** In [0, 1). */
  share(): number {
    // Mulberry32, https://github.com/bryc/code/blob/master/jshash/PRNGs.md
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Whether something that happens in this share of all cases happens. */
  hits(share: number): boolean {
    return this.share() < share;
  }

  below(limit: number): number {
    return Math.floor(this.share() * limit);
  }

  pick<T>(choices: readonly T[]): T {
    const chosen = choices[this.below(choices.length)];
    if (chosen === undefined) throw new Error("there is nothing to choose from");
    return chosen;
  }

  shuffled<T>(items: readonly T[]): T[] {
    return items
      .map((item) => ({ item, order: this.share() }))
      .sort((a, b) => a.order - b.order)
      .map(({ item }) => item);
  }
}

/** The seed of this run: the one in FAULTS_SEED, or a new one. */
export const runSeed = process.env["FAULTS_SEED"] ?? String(Date.now() % 1_000_000);
