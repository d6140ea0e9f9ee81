import { commands, env, l10n } from "vscode";
import { lazily } from "../../core/lazily.ts";
import type { BatchView, OperationView } from "../../core/snapshot.ts";
import { nextOf, nextPassing } from "../candidates.ts";
import type { Candidates } from "../candidates.ts";
import { NothingToDo } from "../commands/nothing-to-do.ts";
import type { UndoReport } from "../parts.ts";
import { failureText } from "../reason-words.ts";
import { endOf } from "../tree/structure.ts";
import { batchStatus, groupName, operationStatus, placeOf } from "../words.ts";
import { askText, pickOne } from "./ask.ts";
import type { Choice } from "./ask.ts";
import { confirm } from "./confirm.ts";
import { count } from "./count.ts";
import { back } from "./steps.ts";
import { showMessage } from "./tell.ts";

/** So many are offered at once; what is typed narrows those. */
const OFFERED = 10_000;
/** So many at once where each has to be read, and among so many of the newest. */
const OFFERED_READ = 100;
const READ = 2000;
/** So many are named in a question. */
const NAMED = 10;
const more = Symbol("more");
const when = lazily(() => new Intl.DateTimeFormat(env.language, { dateStyle: "medium", timeStyle: "short" }));

const frame = (title: string): { title: string; canGoBack: false } => ({ title, canGoBack: false });

/**
 * Lets a person point at what is in the queue or the history. Each rejects with `Cancelled` when dismissed, and with
 * `NothingToDo` where there is nothing to point at; `none` says what is missing.
 */
export class Pickers {
  readonly #candidates: Candidates;

  constructor(candidates: Candidates) {
    this.#candidates = candidates;
  }

  /** `title`: the command that it is for. */
  operation(
    may: (view: OperationView) => boolean,
    none: string,
    title = l10n.t("Choose an operation"),
  ): Promise<readonly [string]> {
    return this.#one(
      frame(title),
      l10n.t("Choose an operation"),
      this.#candidates.operations(may),
      operationChoice,
      none,
    );
  }

  /** Of the operations that may be meant, those that something is read of first; the newest ones, then older ones on demand. */
  async operationRead(
    may: (view: OperationView) => boolean,
    passes: (id: string) => Promise<boolean>,
    none: string,
    title: string,
  ): Promise<readonly [string]> {
    const views = this.#candidates.operations(may);
    for (let isFirst = true; ; isFirst = false) {
      const page = nextPassing(views, ({ id }) => passes(id), OFFERED_READ, READ).then((found) => {
        if (isFirst && found.isLast && found.items.length === 0) throw new NothingToDo(none);
        return [...found.items.map(operationChoice), ...moreChoice(found.isLast)];
      });
      const chosen = await pickOne<string | typeof more>({
        ...frame(title),
        placeholder: l10n.t("Choose an operation"),
        items: page,
      });
      if (chosen === back) throw new Error("The only question has nothing before it.");
      if (chosen !== more) return [chosen];
    }
  }

  /** `names`: the labels of what counts here, where that is not everything. */
  batch(
    may: (view: BatchView) => boolean,
    none: string,
    title = l10n.t("Choose a batch"),
    names = (view: BatchView): readonly string[] => view.operations.map(({ label }) => label),
  ): Promise<readonly [string]> {
    return this.#one(
      frame(title),
      l10n.t("Choose a batch"),
      this.#candidates.batches(may),
      (view) => ({
        label: names(view)[0] ?? view.id,
        description: [
          l10n.t("{0}, operations: {1}", batchStatus(view, l10n.t), count(view.operationCount)),
          when().format(new Date(endOf(view))),
        ].join(" · "),
        detail: placeOf(view.group),
        value: view.id,
      }),
      none,
    );
  }

  /** Asks before what is `named` is taken back; rejects with `Cancelled` unless the person agrees. */
  async agreeToUndo(
    batch: { readonly group: string; readonly endedAt: number },
    named: readonly string[],
  ): Promise<void> {
    const lines = named.slice(0, NAMED).map((name) => `- ${name}`);
    if (named.length > NAMED) lines.push(l10n.t("and {0} more", count(named.length - NAMED)));
    await confirm(
      l10n.t(
        "Undo this batch of {0} in {1}? The branches go back to where they were before:\n{2}\nFiles that were committed stay as they are. A branch that was pushed or has moved on is left alone.",
        when().format(batch.endedAt),
        placeOf(batch.group),
        lines.join("\n"),
      ),
      l10n.t("Undo"),
    );
  }

  /** Asks before everything that is queued in a place is cancelled; rejects with `Cancelled` unless the person agrees. */
  async agreeToCancel(many: number): Promise<void> {
    await confirm(
      l10n.t("Operations queued here: {0}. Cancel all of them?", count(many)),
      l10n.t("Cancel Operations"),
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
        : left.length > 0
          ? l10n.t("Nothing was put back.")
          : l10n.t(
              "Nothing was put back: this batch has moved no branch, or what it moved has been put back already.",
            ),
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

  async #one<View>(
    asked: ReturnType<typeof frame>,
    placeholder: string,
    views: AsyncGenerator<View>,
    choice: (view: View) => Choice<string>,
    none: string,
  ): Promise<readonly [string]> {
    for (let isFirst = true; ; isFirst = false) {
      const { items, isLast } = await nextOf(views, OFFERED);
      if (isFirst && items.length === 0) throw new NothingToDo(none);
      const chosen = await pickOne<string | typeof more>({
        ...asked,
        placeholder,
        items: [...items.map(choice), ...moreChoice(isLast)],
      });
      if (chosen === back) throw new Error("The only question has nothing before it.");
      if (chosen !== more) return [chosen];
    }
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

const operationChoice = (view: OperationView): Choice<string> => ({
  label: view.label,
  description: [
    operationStatus(view, l10n.t),
    groupName(view.group),
    when().format(new Date(view.enqueuedAt)),
  ].join(" · "),
  value: view.id,
});

const moreChoice = (isLast: boolean): readonly Choice<typeof more>[] =>
  isLast ? [] : [{ label: l10n.t("Show more"), alwaysShow: true, value: more }];

const shortRef = (ref: string): string => ref.replace(/^refs\/(heads|tags)\//, "");
