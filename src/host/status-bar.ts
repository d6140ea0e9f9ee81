import { env, l10n, MarkdownString, StatusBarAlignment, ThemeColor, window } from "vscode";
import type { Disposable } from "vscode";
import type { Snapshot } from "../core/snapshot.ts";
import { statusLook } from "./status-bar-model.ts";
import type { Numbers } from "./status-bar-model.ts";

/** The one item in the status bar: what waits, whether it runs, and a warning until it was looked at. */
export class StatusBar implements Disposable {
  readonly #item = window.createStatusBarItem("batchControl.status", StatusBarAlignment.Left, 0);
  readonly #numbers: Numbers;

  constructor() {
    this.#item.name = "Batch Control";
    this.#item.command = "batchControl.openPanel";
    const count = new Intl.NumberFormat(env.language);
    const usd = new Intl.NumberFormat(env.language, {
      style: "currency",
      currency: "USD",
      maximumFractionDigits: 4,
    });
    this.#numbers = { count: (value) => count.format(value), usd: (value) => usd.format(value) };
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
