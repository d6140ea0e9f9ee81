import type { Locator, Page } from "playwright-core";
import { focusedName, moveFocus } from "./focus.ts";
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

  /** Runs a command that asks something at once, out of a web page that may take the focus back from the question: a person asks again. */
  async commandFromPage(title: string, prompt: string): Promise<void> {
    await until(`"${prompt}" to have the focus`, async () => {
      await this.command(title);
      await this.#window.quickInput.shown(prompt);
      return this.#box()
        .waitFor({ timeout: 3_000 })
        .then(
          () => true,
          () => false,
        );
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

  /** Ticks or unticks items of a quick pick that takes many, in their order, and accepts it. */
  async toggle(prompt: string, ...labels: readonly string[]): Promise<void> {
    await this.#window.quickInput.shown(prompt);
    await this.#box().waitFor();
    await this.#page.keyboard.press("ArrowDown");
    for (const label of labels) {
      await this.moveTo("ArrowDown", label);
      await this.#page.keyboard.press("Space");
    }
    await this.#page.keyboard.press("Enter");
    await this.#gone(prompt);
  }

  /** Pastes a path into a file dialog and accepts it once that has caught up: it then lists what is in the folder. */
  async choosePath(prompt: string, path: string, listed: string): Promise<void> {
    const { quickInput } = this.#window;
    await quickInput.shown(prompt);
    await until(
      "the folder that the dialog begins with",
      async () => (await quickInput.value()) !== "" && (await quickInput.items()).length > 0,
    );
    const paste = async (): Promise<void> => {
      await this.#page.keyboard.press("ControlOrMeta+A");
      await this.#page.keyboard.insertText(path);
      await until(`${listed} in the dialog`, async () =>
        (await quickInput.items()).some(({ label }) => label.startsWith(listed)),
      );
    };
    await paste();
    // One that has not caught up takes the key for a step into the folder; a person presses it again.
    await until(
      `an end of "${prompt}"`,
      async () => {
        if (!(await this.#asked()).includes(prompt)) return true;
        if ((await quickInput.value()) !== path) await paste();
        await this.#page.keyboard.press("Enter");
        return false;
      },
      { interval: 2_000 },
    );
  }

  /** Opens a file of the workspace by its name, the first that there is. */
  async openFile(name: string): Promise<void> {
    const { quickInput } = this.#window;
    await this.command("Go to File...");
    await quickInput.shown();
    await this.#type(name);
    await until("the file", async () => (await quickInput.items())[0]?.label === name);
    await this.#page.keyboard.press("Enter");
    await this.#page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor();
  }

  /** Expands the row of a tree that has the focus, in which there is this one, unless it is expanded. */
  async expand(inside: string): Promise<void> {
    const focused = this.#page.locator(".monaco-list:focus-within .monaco-list-row.focused[role=treeitem]");
    const found = this.#page.locator(".monaco-list-row[role=treeitem]", { hasText: inside }).first();
    await until(
      `${inside} in the row`,
      async () => {
        if ((await focused.first().getAttribute("aria-expanded")) === "false")
          await this.#page.keyboard.press("ArrowRight");
        return (await found.count()) > 0;
      },
      { interval: 500 },
    );
  }

  /** Puts the focus on the first row of the Explorer. */
  async explorer(): Promise<void> {
    await this.command("File: Focus on Files Explorer");
    await this.#page
      .locator(".explorer-folders-view .monaco-list:focus, .explorer-folders-view :focus")
      .first()
      .waitFor();
    await this.#page.keyboard.press("Home");
  }

  /** Chooses from the context menu of what has the focus. */
  async fromMenu(entry: string): Promise<void> {
    await this.#page.keyboard.press("Shift+F10");
    await this.fromOpenMenu(entry);
  }

  /** Chooses from the menu that has just been opened. */
  async fromOpenMenu(entry: string): Promise<void> {
    const menu = this.#page.locator(".monaco-menu :focus, .monaco-menu:focus");
    // What is typed before it has the focus goes to what is beneath, and closes it.
    await menu.first().waitFor();
    await this.moveTo("ArrowDown", new RegExp(`^${RegExp.escape(entry)}(?:Ctrl\\+[A-Z](?: [A-Z])*)?$`));
    await this.#page.keyboard.press("Enter");
    await menu.first().waitFor({ state: "detached" });
  }

  /** Waits for a modal dialog that says this and presses a button of it. */
  async answer(text: string, button: string): Promise<void> {
    await until(`the question "${text}"`, async () =>
      (await this.#window.notifications.dialog()).includes(text),
    );
    await this.moveTo("Tab", button);
    await this.#page.keyboard.press("Enter");
    await this.#page.locator(".monaco-dialog-box").waitFor({ state: "detached" });
  }

  /** Waits for a notification that says this and presses a button of it. */
  async answerToast(text: string | RegExp, button: string): Promise<void> {
    await this.#window.notifications.waitFor(text);
    await this.command("Notifications: Focus Notification Toast");
    await this.moveTo("Tab", button);
    await this.#page.keyboard.press("Enter");
  }

  moveTo(key: string, label: string | RegExp): Promise<void> {
    return moveFocus(this.#page, key, label);
  }

  focused(): Promise<string> {
    return focusedName(this.#page);
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
