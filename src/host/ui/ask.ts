import { QuickInputButtons, window } from "vscode";
import type { Event, QuickInput, QuickInputButton, QuickPickItem } from "vscode";
import { Cancelled } from "../commands/cancelled.ts";
import { asText } from "./as-text.ts";
import { back } from "./steps.ts";
import type { Back, Frame } from "./steps.ts";

/** Its words are shown as they are; an icon of ours goes into `iconPath`. */
export interface Choice<T> extends QuickPickItem {
  readonly value: T;
}

interface PickOptions<T> extends Frame {
  readonly placeholder: string;
  /** Stands below the box. */
  readonly prompt?: string;
  readonly items: readonly Choice<T>[] | Promise<readonly Choice<T>[]>;
  /** Offers what was typed as an answer of its own. */
  readonly typed?: (text: string) => Choice<T> | undefined;
  /** Why an answer is not accepted; the question stays open. */
  readonly refuse?: (value: T) => Refusal | Promise<Refusal>;
}

/** What is wrong with an answer; `undefined`: nothing. */
type Refusal = string | undefined;

interface PickManyOptions<T> extends PickOptions<T> {
  /** Shown when none is chosen; the question stays open. */
  readonly missing?: string;
}

export interface TextOptions extends Frame {
  readonly prompt: string;
  readonly placeholder?: string;
  readonly value?: string;
  readonly password?: boolean;
  /** Why a text is not accepted; the question stays open. */
  readonly refuse?: (text: string) => Refusal | Promise<Refusal>;
  /** Told at every change what is typed, for the window may go away under the question. */
  readonly typing?: (text: string) => void;
  /** Told what was typed when the question is dismissed, so that it can be offered again. */
  readonly kept?: (text: string) => void;
}

/** An item that is its own value. */
export const plain = (value: string): Choice<string> => ({ label: value, value });

/** What was typed as an item of its own, unless that is blank. */
export const typedChoice = (text: string): Choice<string> | undefined =>
  text.trim() === "" ? undefined : plain(text.trim());

/** One of several. Rejects with `Cancelled` when dismissed. */
export async function pickOne<T>(options: PickOptions<T>): Promise<T | Back> {
  const chosen = await pick(options, false);
  if (chosen === back) return back;
  const [first] = chosen;
  if (!first) throw new Cancelled();
  return first.value;
}

/** Any number of them; none only without `missing`. Items with `picked` start ticked. Rejects with `Cancelled` when dismissed. */
export async function pickMany<T>(options: PickManyOptions<T>): Promise<readonly T[] | Back> {
  const chosen = await pick(options, true);
  return chosen === back ? back : chosen.map(({ value }) => value);
}

async function pick<T>(options: PickManyOptions<T>, many: boolean): Promise<readonly Choice<T>[] | Back> {
  const input = window.createQuickPick<Choice<T>>();
  input.placeholder = options.placeholder;
  input.canSelectMany = many;
  input.matchOnDescription = true;
  input.matchOnDetail = true;
  const ask = (prompt: string | undefined): void => {
    input.prompt = prompt === undefined ? undefined : asText(prompt);
  };
  ask(options.prompt);
  input.onDidChangeValue(() => ask(options.prompt));
  let known: readonly Choice<T>[] = [];
  let shown: readonly Choice<T>[] = [];
  const { typed } = options;
  if (typed) {
    input.onDidChangeValue((text) => {
      const own = text === "" || known.some(({ label }) => label === text) ? undefined : typed(text);
      input.items = own ? [...shown, { ...wordsOf(own), alwaysShow: true }] : shown;
    });
  }
  return show(input, options, (done, failed) => {
    const accept = async (chosen: readonly Choice<T>[]): Promise<void> => {
      const [first] = chosen;
      const refusal = first ? await options.refuse?.(first.value) : options.missing;
      if (refusal !== undefined) ask(refusal);
      else if (first || many) done(chosen);
    };
    // While the items are on their way, there is nothing yet to accept.
    input.onDidAccept(() => whileFree(input, () => accept(input.selectedItems)).catch(failed));
    input.busy = true;
    Promise.resolve(options.items).then((items) => {
      known = items;
      shown = items.map(wordsOf);
      input.items = shown;
      if (many) input.selectedItems = shown.filter(({ picked }) => picked);
      input.busy = false;
    }, failed);
  });
}

/** A row as it is shown: in label, description and detail the editor draws an icon where one is named. */
const wordsOf = <T>(choice: Choice<T>): Choice<T> => ({
  ...choice,
  label: asText(choice.label),
  ...(choice.description === undefined ? {} : { description: asText(choice.description) }),
  ...(choice.detail === undefined ? {} : { detail: asText(choice.detail) }),
});

/** A line of text. Rejects with `Cancelled` when dismissed. */
export async function askText(options: TextOptions): Promise<string | Back> {
  const input = window.createInputBox();
  input.prompt = asText(options.prompt);
  input.password = options.password ?? false;
  if (options.placeholder !== undefined) input.placeholder = options.placeholder;
  if (options.value !== undefined) input.value = options.value;
  input.onDidChangeValue((text) => {
    input.validationMessage = undefined;
    options.typing?.(text);
  });
  let accepted = false;
  input.onDidHide(() => {
    if (!accepted) options.kept?.(input.value);
  });
  return show<string>(input, options, (done, failed) => {
    const accept = async (text: string): Promise<void> => {
      const refusal = await options.refuse?.(text);
      // Typed on meanwhile: this was about another text.
      if (input.value !== text) return;
      if (refusal !== undefined) {
        input.validationMessage = asText(refusal);
        return;
      }
      accepted = true;
      done(text);
    };
    input.onDidAccept(() => whileFree(input, () => accept(input.value)).catch(failed));
  });
}

/** Does it unless something is being waited for, which the question shows. */
async function whileFree(input: QuickInput, work: () => Promise<void>): Promise<void> {
  if (input.busy) return;
  input.busy = true;
  try {
    await work();
  } finally {
    input.busy = false;
  }
}

interface Buttoned extends QuickInput {
  buttons: readonly QuickInputButton[];
  readonly onDidTriggerButton: Event<QuickInputButton>;
}

async function show<T>(
  input: Buttoned,
  frame: Frame,
  wire: (done: (value: T) => void, failed: (error: unknown) => void) => void,
): Promise<T | Back> {
  const { promise, resolve, reject } = Promise.withResolvers<T | Back>();
  // Unlike the prompt, title and placeholder are nothing but text to the editor.
  input.title = frame.title;
  // A question put together over several steps must survive a look at another window.
  input.ignoreFocusOut = true;
  if (frame.canGoBack) input.buttons = [QuickInputButtons.Back];
  input.onDidTriggerButton((button) => {
    if (button === QuickInputButtons.Back) resolve(back);
  });
  input.onDidHide(() => reject(new Cancelled()));
  wire(resolve, reject);
  input.show();
  try {
    return await promise;
  } finally {
    input.dispose();
  }
}
