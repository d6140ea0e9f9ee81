import { l10n } from "vscode";
import type { OperationKind, StoredOperation } from "../../core/operation.ts";
import type { BatchView, JournalState, OperationView } from "../../core/snapshot.ts";
import { askText, pickOne } from "./ask.ts";
import type { Choice } from "./ask.ts";
import { back } from "./steps.ts";

const frame = (title: string): { title: string; canGoBack: false } => ({ title, canGoBack: false });

/** Lets a person point at what is in the queue or the history. Each rejects with `Cancelled` when dismissed. */
export class Pickers {
  readonly #state: () => JournalState;

  constructor(state: () => JournalState) {
    this.#state = state;
  }

  operation(may: (view: OperationView) => boolean): Promise<readonly [string]> {
    const { git, llm } = this.#state();
    const all = [git, llm].flatMap((side) => [
      ...side.queued,
      ...[...side.executing, ...side.pending, ...side.executed].flatMap(({ operations }) => operations),
    ]);
    return this.#one(
      l10n.t("Choose an operation"),
      all.filter(may).map((view) => ({ label: view.label, description: view.status, value: view.id })),
    );
  }

  batch(may: (view: BatchView) => boolean): Promise<readonly [string]> {
    const { git, llm } = this.#state();
    const all = [git, llm].flatMap((side) => [...side.executing, ...side.pending, ...side.executed]);
    return this.#one(
      l10n.t("Choose a batch"),
      all.filter(may).map((view) => ({
        label: view.operations[0]?.label ?? view.id,
        description: l10n.t("{0}, operations: {1}", view.status, view.operationCount),
        detail: view.group,
        value: view.id,
      })),
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

  /** The one text of an operation that people change most: its message or its prompt. */
  async patch({ kind, label }: StoredOperation): Promise<Readonly<Record<string, unknown>>> {
    const field = editable[kind];
    if (!field) throw new Error(l10n.t("A push has no text to edit. Cancel it and queue another one."));
    const text = await this.#text(
      l10n.t("Edit Operation"),
      field === "message" ? l10n.t("Message") : l10n.t("Prompt"),
      label,
      (value) => (value.trim() === "" ? l10n.t("Must not be empty.") : undefined),
    );
    return { [field]: text };
  }

  async #one(title: string, items: readonly Choice<string>[]): Promise<readonly [string]> {
    if (items.length === 0) throw new Error(l10n.t("There is nothing this can be done to."));
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

const editable: Record<OperationKind, "message" | "prompt" | undefined> = {
  commit: "message",
  merge: "message",
  push: undefined,
  request: "prompt",
};
