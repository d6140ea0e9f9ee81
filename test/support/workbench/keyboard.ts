import type { Locator, Page } from "playwright-core";
import { until } from "./until.ts";
import type { WorkbenchWindow } from "./window.ts";

/** A person without a mouse: everything here is typed. */
export class Keyboard {
  readonly #window: WorkbenchWindow;
  readonly #page: Page;

  constructor(window: WorkbenchWindow) {
    this.#window = window;
    this.#page = window.page;
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.#page.keyboard.press(key);
  }

  /** Runs a command from the palette by the title it has there. */
  async command(title: string): Promise<void> {
    // An editor that takes the focus once it has drawn something closes the palette; a person opens it again.
    await until(`the palette to take "${title}"`, async () => {
      await this.#page.keyboard.press("F1");
      try {
        await this.#box().waitFor({ timeout: 3_000 });
        await this.#page.keyboard.type(title);
        await this.#focusedItem(title).waitFor({ timeout: 5_000 });
        if ((await this.#box().count()) === 0) return false;
      } catch {
        return false;
      }
      await this.#page.keyboard.press("Enter");
      return true;
    });
  }

  /** Narrows a quick pick by its item's label and takes it. */
  async choose(prompt: string, label: string): Promise<void> {
    await this.#window.quickInput.shown(prompt);
    await this.#type(label);
    await this.#first(label);
    await this.#page.keyboard.press("Enter");
    await this.#gone(prompt);
  }

  /** Accepts a quick pick or an input box as it stands. */
  async accept(prompt: string): Promise<void> {
    await this.#window.quickInput.shown(prompt);
    await this.#page.keyboard.press("Enter");
    await this.#gone(prompt);
  }

  /** Replaces what is in an input box and accepts it. */
  async fill(prompt: string, text: string): Promise<void> {
    await this.#window.quickInput.shown(prompt);
    await this.#page.keyboard.press("ControlOrMeta+A");
    await this.#page.keyboard.type(text);
    await this.#page.keyboard.press("Enter");
    await this.#gone(prompt);
  }

  /** Moves the focus with a key until the focused element's label, in whatever frame, contains the text. */
  async moveTo(key: string, label: string | RegExp, most = 60): Promise<void> {
    const met: string[] = [];
    for (let moves = 0; moves <= most; moves += 1) {
      const now = await this.focused();
      if (typeof label === "string" ? now.includes(label) : label.test(now)) return;
      met.push(now);
      await this.#page.keyboard.press(key);
    }
    throw new Error(`${key} never reaches ${String(label)}, only:\n${met.join("\n")}`);
  }

  /** Accessible name, or text, of what has the focus. */
  async focused(): Promise<string> {
    for (const frame of [...this.#page.frames()].reverse()) {
      const found = await frame.evaluate(focusedName).catch(() => "");
      if (found !== "") return found;
    }
    return "";
  }

  /** Waits for the box to have the focus: what is typed before that goes elsewhere. */
  async #type(text: string): Promise<void> {
    await this.#box().waitFor();
    await this.#page.keyboard.type(text);
  }

  async #first(label: string): Promise<void> {
    await this.#focusedItem(label).waitFor();
  }

  #box(): Locator {
    return this.#page.locator(".quick-input-widget:visible input:focus");
  }

  #focusedItem(label: string): Locator {
    const row = this.#page.locator(".quick-input-widget:visible .monaco-list-row.focused");
    const exact = new RegExp(`^\\s*${RegExp.escape(label)}\\s*$`);
    return row.locator(".label-name", { hasText: exact }).first();
  }

  /** Until the question is gone, typing would go to it. */
  async #gone(prompt: string): Promise<void> {
    await until(`an end of "${prompt}"`, async () => !(await this.#asked()).includes(prompt));
  }

  /** All that the quick input says, now. */
  async #asked(): Promise<string> {
    const widgets = this.#page.locator(".quick-input-widget:visible");
    const texts = await widgets.evaluateAll((all) =>
      all.flatMap((widget) => [
        widget.textContent,
        ...[...widget.querySelectorAll("input")].map(({ placeholder }) => placeholder),
      ]),
    );
    return texts.join("\n");
  }
}

/** In a page; frames that hold no focus, or whose focus lies in a frame of theirs, have none. */
function focusedName(): string {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  if (!document.hasFocus() || !element || element === document.body || element instanceof HTMLIFrameElement)
    return "";
  const active = element.getAttribute("aria-activedescendant");
  const real = (active === null ? undefined : document.getElementById(active)) ?? element;
  return (real.getAttribute("aria-label") ?? real.textContent).trim().slice(0, 200);
}
