import { env, l10n, MarkdownString, StatusBarAlignment, ThemeColor, window } from "vscode";
import type { Disposable } from "vscode";
import type { Snapshot } from "../core/snapshot.ts";
import { statusLook } from "./status-bar-model.ts";
import { numbersIn } from "./numbers.ts";

/** The one item in the status bar: what waits, whether it runs, and a warning until it was looked at. */
export class StatusBar implements Disposable {
  readonly #item = window.createStatusBarItem("batchControl.status", StatusBarAlignment.Left, 0);
  readonly #numbers = numbersIn(env.language);

  constructor() {
    this.#item.name = "Batch Control";
    this.#item.command = "batchControl.openPanel";
  }

  /** `seen`: the end of the newest failure that was looked at. */
  update(snapshot: Snapshot, seen: string, visible: boolean): void {
    if (!visible) {
      this.#item.hide();
      return;
    }
    const look = statusLook(snapshot, seen, l10n.t, this.#numbers);
    this.#item.text = look.text;
    this.#item.tooltip = new MarkdownString(look.tooltip);
    this.#item.accessibilityInformation = { label: look.spoken };
    this.#item.backgroundColor = look.warning ? new ThemeColor("statusBarItem.warningBackground") : undefined;
    this.#item.show();
  }

  dispose(): void {
    this.#item.dispose();
  }
}
