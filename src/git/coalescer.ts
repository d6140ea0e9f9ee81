/**
 * Handles together what was asked for while the previous round ran: many requests, few processes. Requests of one key
 * keep their order and never overlap.
 */
export class Coalescer<Item, Answer> {
  readonly #handle: (key: string, items: readonly Item[]) => Promise<readonly (Answer | Error)[]>;
  readonly #waiting = new Map<string, Waiting<Item, Answer>[]>();

  /** The handler gives one answer per item, in order; an `Error` rejects only its own item. */
  constructor(handle: (key: string, items: readonly Item[]) => Promise<readonly (Answer | Error)[]>) {
    this.#handle = handle;
  }

  ask(key: string, item: Item): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const entry = { item, resolve, reject };
      const waiting = this.#waiting.get(key);
      if (waiting) {
        waiting.push(entry);
        return;
      }
      this.#waiting.set(key, [entry]);
      void this.#rounds(key);
    });
  }

  async #rounds(key: string): Promise<void> {
    // What is asked for in the same turn of the event loop joins the first round.
    await Promise.resolve();
    for (let round = this.#waiting.get(key); round && round.length > 0; round = this.#waiting.get(key)) {
      this.#waiting.set(key, []);
      await this.#round(key, round);
    }
    this.#waiting.delete(key);
  }

  async #round(key: string, round: readonly Waiting<Item, Answer>[]): Promise<void> {
    try {
      const answers = await this.#handle(
        key,
        round.map(({ item }) => item),
      );
      round.forEach(({ resolve, reject }, index) => {
        const answer = answers[index];
        if (answer instanceof Error) reject(answer);
        else if (answer === undefined) reject(new Error("The handler gave no answer."));
        else resolve(answer);
      });
    } catch (error) {
      const reason = error instanceof Error ? error : new Error(String(error));
      round.forEach(({ reject }) => reject(reason));
    }
  }
}

interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: Error) => void;
}
