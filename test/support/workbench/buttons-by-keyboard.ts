import type { Locator } from "playwright-core";
import { moveFocus, moveFocusInto } from "./focus.ts";
import type { Keyboard } from "./keyboard.ts";
import { until } from "./until.ts";
import type { WorkbenchWindow } from "./window.ts";

/** More than any bar has. */
const MOST_BUTTONS = 15;

/** Buttons around editors, views and rows: Tab reaches a bar of them, the arrow keys go along it. */
export class ButtonsByKeyboard {
  readonly #window: WorkbenchWindow;
  readonly #keys: Keyboard;

  constructor(window: WorkbenchWindow, keys: Keyboard) {
    this.#window = window;
    this.#keys = keys;
  }

  /** In the title of the active editor. */
  async ofEditor(action: string): Promise<void> {
    const { page } = this.#window;
    const bar = page.locator(".editor-group-container.active .editor-actions");
    // It is drawn again once the editor is known to be one of those that have it.
    await bar.locator(`.action-label[aria-label^="${action}"]`).first().waitFor();
    await this.#press(action, async () => {
      // A text editor keeps Tab to itself.
      await this.#queue();
      await moveFocusInto(page, "Tab", page.locator(".tabs-container .tab.active"));
      await moveFocusInto(page, "Tab", bar);
    });
  }

  /** In the menu behind the dots in the title of the active editor. */
  async inMenuOfEditor(entry: string): Promise<void> {
    await this.ofEditor("More Actions...");
    await this.#keys.fromOpenMenu(entry);
  }

  /** In the title of the queue, whether rows have the focus or the text of an empty one. */
  async ofQueue(action: string): Promise<void> {
    const bar = this.#window.page.locator('.pane-header[aria-label^="Queue"] .actions');
    await this.#press(action, async () => {
      await this.#queue();
      await moveFocusInto(this.#window.page, "Shift+Tab", bar);
      await this.#keys.press("Home");
    });
  }

  /** In the row of a repository in Source Control, where its title is when there are several. */
  async ofRepository(name: string, action: string): Promise<void> {
    const { page } = this.#window;
    await this.#keys.command("Source Control: Focus on Changes View");
    // It begins in a message box, which lies in a row.
    await moveFocusInto(page, "Shift+Tab", page.locator(".scm-view .monaco-list:focus"));
    await this.#keys.press("Home");
    await this.#keys.moveTo("ArrowDown", new RegExp(`^${RegExp.escape(name)}\\b`));
    await this.ofRow(action);
  }

  /** Of the row in a tree that has the focus. */
  async ofRow(action: string): Promise<void> {
    const bar = this.#window.page.locator(".monaco-list-row.focused .actions");
    await this.#press(action, () => moveFocusInto(this.#window.page, "Tab", bar));
  }

  /** Below the text of an empty queue. */
  async ofWelcome(button: string): Promise<void> {
    await this.#queue();
    await this.#keys.moveTo("Tab", starting(button));
    await this.#keys.press("Enter");
  }

  /** Rows, or the text of an empty queue, once they have the focus: an editor that was just opened may take it late. */
  async #queue(): Promise<void> {
    const focus = this.#window.page.locator(".part.sidebar .pane-body :focus");
    await until("the focus in the queue", async () => {
      await this.#keys.command("Batch Control: Focus on Queue View");
      return isThere(focus);
    });
  }

  /** A bar that is drawn anew forgets where the focus was; a person goes there again. */
  async #press(action: string, enter: () => Promise<void>): Promise<void> {
    await until(`the focus on "${action}"`, async () => {
      try {
        await enter();
        await moveFocus(this.#window.page, "ArrowRight", starting(action), MOST_BUTTONS);
        return true;
      } catch {
        return false;
      }
    });
    await this.#keys.press("Enter");
  }
}

const starting = (label: string): RegExp => new RegExp(`^${RegExp.escape(label)}`);

const isThere = (what: Locator): Promise<boolean> =>
  what
    .first()
    .waitFor({ timeout: 3_000 })
    .then(
      () => true,
      () => false,
    );
