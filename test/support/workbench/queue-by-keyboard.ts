import type { Keyboard } from "./keyboard.ts";
import { until } from "./until.ts";
import type { WorkbenchWindow } from "./window.ts";

/** The queue's tree, worked with keys. */
export class QueueByKeyboard {
  readonly #window: WorkbenchWindow;
  readonly #keys: Keyboard;

  constructor(window: WorkbenchWindow, keys: Keyboard) {
    this.#window = window;
    this.#keys = keys;
  }

  /** On its first row. */
  async focus(): Promise<void> {
    await this.#keys.command("Batch Control: Focus on Queue View");
    await until("the focus in the queue", async () => (await this.#keys.focused()) !== "");
    await this.#keys.press("Home");
  }

  /** Puts the focus on a row, once no redraw is to be expected any more in which its menu would lose it. */
  async goTo(row: string | RegExp): Promise<void> {
    await Promise.all([this.#window.view("Queue").settled(), this.focus()]);
    // A redraw meanwhile may have moved it.
    await this.#keys.press("Home");
    await this.#keys.moveTo("ArrowDown", row);
  }

  /** Expands the row that has the focus, and waits for what is in it. */
  async expand(): Promise<void> {
    const name = await this.#keys.focused();
    await this.#keys.press("ArrowRight");
    await until(`rows in "${name}"`, async () => {
      const rows = await this.#window.view("Queue").rows();
      const at = rows.findIndex(({ ariaLabel }) => ariaLabel === name);
      return (rows[at + 1]?.level ?? 0) > (rows[at]?.level ?? Infinity);
    });
  }

  /** Chooses from the context menu of a row. */
  async onRow(row: string | RegExp, entry: string): Promise<void> {
    await this.goTo(row);
    await this.#keys.fromMenu(entry);
  }
}
