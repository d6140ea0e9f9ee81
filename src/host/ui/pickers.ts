import { commands, l10n } from "vscode";
import type { BatchView, JournalState, OperationView } from "../../core/snapshot.ts";
import { NothingToDo } from "../commands/nothing-to-do.ts";
import type { UndoReport } from "../parts.ts";
import { failureText } from "../reason-words.ts";
import { batchStatus, operationStatus, placeOf } from "../words.ts";
import { askText, pickOne } from "./ask.ts";
import type { Choice } from "./ask.ts";
import { count } from "./count.ts";
import { back } from "./steps.ts";
import { showMessage } from "./tell.ts";

const frame = (title: string): { title: string; canGoBack: false } => ({ title, canGoBack: false });

/**
 * Lets a person point at what is in the queue or the history. Each rejects with `Cancelled` when dismissed, and with
 * `NothingToDo` where there is nothing to point at; `none` says what is missing.
 */
export class Pickers {
  readonly #state: () => JournalState;

  constructor(state: () => JournalState) {
    this.#state = state;
  }

  operation(may: (view: OperationView) => boolean, none: string): Promise<readonly [string]> {
    const { git, llm } = this.#state();
    const all = [git, llm].flatMap((side) => [
      ...side.queued,
      ...[...side.executing, ...side.pending, ...side.executed].flatMap(({ operations }) => operations),
    ]);
    return this.#one(
      l10n.t("Choose an operation"),
      all
        .filter(may)
        .map((view) => ({ label: view.label, description: operationStatus(view, l10n.t), value: view.id })),
      none,
    );
  }

  batch(may: (view: BatchView) => boolean, none: string): Promise<readonly [string]> {
    const { git, llm } = this.#state();
    const all = [git, llm].flatMap((side) => [...side.executing, ...side.pending, ...side.executed]);
    return this.#one(
      l10n.t("Choose a batch"),
      all.filter(may).map((view) => ({
        label: view.operations[0]?.label ?? view.id,
        description: l10n.t("{0}, operations: {1}", batchStatus(view, l10n.t), count(view.operationCount)),
        detail: placeOf(view.group),
        value: view.id,
      })),
      none,
    );
  }

  /** The index within its queue, counted from 1 for a person. */
  async position(): Promise<number> {
    const text = await this.#text(
      l10n.t("Move Operation"),
      l10n.t("Position within its queue, 1 is first"),
      "1",
      (value) => (/^[1-9]\d*$/.test(value.trim()) ? undefined : l10n.t("Give a whole number from 1.")),
    );
    return Number(text) - 1;
  }

  /** Both halves matter: what is back, and what was left and why. */
  tellUndone({ restored, left }: UndoReport): void {
    const lines = [
      restored.length > 0
        ? l10n.t("Put back: {0}.", restored.map(shortRef).join(", "))
        : l10n.t("Nothing was put back."),
      ...left.map(({ ref, reason }) =>
        l10n.t("Left {0}: {1}.", shortRef(ref), failureText(reason, undefined, l10n.t)),
      ),
    ];
    const severity = left.length > 0 ? "warning" : "information";
    // With a button the editor shows the whole text and not its first line.
    const panel = l10n.t("Show Panel");
    void showMessage({ severity, message: lines.join(" ") }, panel).then(
      (chosen) => chosen && commands.executeCommand("batchControl.openPanel"),
    );
  }

  async #one(title: string, items: readonly Choice<string>[], none: string): Promise<readonly [string]> {
    if (items.length === 0) throw new NothingToDo(none);
    const chosen = await pickOne({ ...frame(title), placeholder: title, items });
    if (chosen === back) throw new Error("The only question has nothing before it.");
    return [chosen];
  }

  async #text(
    title: string,
    prompt: string,
    value: string,
    refuse: (text: string) => string | undefined,
  ): Promise<string> {
    const text = await askText({ ...frame(title), prompt, value, refuse });
    if (text === back) throw new Error("The only question has nothing before it.");
    return text;
  }
}

const shortRef = (ref: string): string => ref.replace(/^refs\/(heads|tags)\//, "");
