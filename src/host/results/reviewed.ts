import type { Change, Plan } from "./changes.ts";

/** So many reviews are remembered; an older one counts as none. */
const MOST = 50;

/** What files were when a person was shown what an answer would make of them, by request. */
export class Reviewed {
  readonly #texts = new Map<string, ReadonlyMap<string, string | undefined>>();

  /** The changes of this plan are shown now. */
  show(request: string, { changes }: Pick<Plan, "changes">): void {
    this.#texts.delete(request);
    this.#texts.set(request, new Map(changes.map(({ path, before }) => [path, before])));
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > MOST && oldest !== undefined) this.#texts.delete(oldest);
  }

  isShown(request: string): boolean {
    return this.#texts.has(request);
  }

  /** Those of the changes that are not what was shown, because their file was edited since; none where nothing was shown. */
  edited(request: string, changes: readonly Change[]): readonly Change[] {
    const texts = this.#texts.get(request);
    return texts ? changes.filter(({ path, before }) => !texts.has(path) || texts.get(path) !== before) : [];
  }

  forget(request: string): void {
    this.#texts.delete(request);
  }
}
