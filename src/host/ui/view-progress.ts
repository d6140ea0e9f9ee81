import { window } from "vscode";
import type { Disposable } from "vscode";

/** The moving line above a view, for as long as something works in the background. It claims no share of the whole. */
export class ViewProgress implements Disposable {
  readonly #viewId: string;
  #end: (() => void) | undefined;

  constructor(viewId: string) {
    this.#viewId = viewId;
  }

  show(busy: boolean): void {
    if (!busy) this.dispose();
    else if (!this.#end) {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      this.#end = () => resolve(undefined);
      void window.withProgress({ location: { viewId: this.#viewId } }, () => promise);
    }
  }

  dispose(): void {
    this.#end?.();
    this.#end = undefined;
  }
}
