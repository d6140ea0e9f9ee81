import type { TreeModel } from "./model.ts";
import type { QueueNode } from "./node.ts";

/** Looks on from now whether the tree may still have the focus it had: the editor does not say who has it. */
export interface FocusWatch {
  mayHaveIt(): boolean;
  dispose(): void;
}

interface FocusDeps {
  readonly model: Pick<TreeModel, "near" | "has">;
  readonly watch: () => FocusWatch;
  /** Resolves once the tree was told of all that was done so far. */
  readonly followed: () => Promise<void>;
  /** Gives the focus to a row. */
  readonly reveal: (row: QueueNode) => PromiseLike<void>;
  readonly failed: (error: unknown) => void;
}

/**
 * Keeps a reader where they were. When the row that has the focus goes away, the editor gives the focus to none, and the
 * next key starts at the top (https://github.com/microsoft/vscode/issues/126964).
 */
export class TreeFocus {
  readonly #deps: FocusDeps;

  constructor(deps: FocusDeps) {
    this.#deps = deps;
  }

  /** Runs what was chosen on a row. Where that took the row away, the focus goes to the one nearest to it. */
  keep<Answer>(row: QueueNode, run: () => Promise<Answer>): Promise<Answer> {
    const { model, followed, watch } = this.#deps;
    const near = model.near(row);
    const since = watch();
    const answer = run();
    void this.#move(since, async () => {
      await answer;
      await followed();
      return model.has(row) ? undefined : near.find((other) => model.has(other));
    });
    return answer;
  }

  /** Puts the focus on the row that `read` answers, if that brings any. */
  async lead(read: () => Promise<QueueNode | undefined>): Promise<void> {
    await this.#move(this.#deps.watch(), read);
  }

  async #move(since: FocusWatch, find: () => Promise<QueueNode | undefined>): Promise<void> {
    try {
      const row = await find();
      if (row && since.mayHaveIt()) await this.#deps.reveal(row);
    } catch (error) {
      this.#deps.failed(error);
    } finally {
      since.dispose();
    }
  }
}
