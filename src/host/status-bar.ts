import { env, l10n, MarkdownString, StatusBarAlignment, ThemeColor, window } from "vscode";
import type { Disposable } from "vscode";
import { lazily } from "../core/lazily.ts";
import type { Snapshot } from "../core/snapshot.ts";
import type { Settings } from "./settings.ts";
import type { StatusContext } from "./status-bar-model.ts";
import { statusLook } from "./status-bar-model.ts";
import { numbersIn } from "./numbers.ts";

/** The one item in the status bar: what waits, whether it runs, and a warning until it was looked at. */
export class StatusBar implements Disposable {
  readonly #item = window.createStatusBarItem("batchControl.status", StatusBarAlignment.Left, 0);
  readonly #time = lazily(() => new Intl.DateTimeFormat(env.language, { timeStyle: "medium" }));
  readonly #numbers = numbersIn(env.language);

  constructor() {
    this.#item.name = "Batch Control";
    this.#item.command = "batchControl.openPanel";
  }

  /** `seen`: the end of the newest failure that was looked at. */
  update(snapshot: Snapshot, seen: string, settings: Settings, queues: StatusContext["queues"]): void {
    if (!settings.get("statusBar.show")) {
      this.#item.hide();
      return;
    }
    const look = statusLook(snapshot, seen, {
      queues,
      t: l10n.t,
      numbers: this.#numbers,
      now: Date.now(),
      time: (at) => this.#time().format(at),
      triggers: { git: settings.triggers("git"), llm: settings.triggers("llm") },
    });
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
