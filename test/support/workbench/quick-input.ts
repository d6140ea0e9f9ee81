import type { Locator, Page } from "playwright-core";
import { until } from "./until.ts";

export interface QuickItem {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
}

/** Quick picks, input boxes and the command palette: one widget of the workbench. */
export class QuickInput {
  readonly #page: Page;
  readonly #widget: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.#widget = page.locator(".quick-input-widget:visible");
  }

  /** Shows the palette with this typed in; `timeout`: milliseconds that each step of it may take. */
  async openPalette(text = "", timeout?: number): Promise<void> {
    const within = timeout === undefined ? {} : { timeout };
    await this.#page.keyboard.press("F1");
    await this.#widget.waitFor(within);
    await this.#input().fill(`>${text}`, within);
  }

  async visible(): Promise<boolean> {
    return (await this.#widget.count()) > 0;
  }

  /** Waits until one is shown whose title or placeholder contains the text. */
  async shown(text = ""): Promise<void> {
    await until(`a quick input that says "${text}"`, async () => {
      return (await this.visible()) && (await this.prompt()).includes(text);
    });
  }

  /** Title, placeholder and message, as far as there are any. */
  async prompt(): Promise<string> {
    const title = await this.#widget.locator(".quick-input-title").innerText();
    const placeholder = (await this.#input().getAttribute("placeholder")) ?? "";
    return [title, placeholder, await this.message()].filter((part) => part !== "").join("\n");
  }

  /** The line below the box: what an input box asks for, or what is wrong with the value. */
  async message(): Promise<string> {
    return (await this.#widget.locator(".quick-input-message").allInnerTexts()).join("").trim();
  }

  /** Replaces what is in the box. */
  async type(text: string): Promise<void> {
    await this.#input().fill(text);
  }

  async value(): Promise<string> {
    return this.#input().inputValue();
  }

  /** The items that are in sight; a long list has more. */
  async items(): Promise<QuickItem[]> {
    return this.#rows().evaluateAll((rows) =>
      rows.map((row) => {
        const text = (selector: string): string => row.querySelector(selector)?.textContent.trim() ?? "";
        return {
          label: text(".quick-input-list-rows > .quick-input-list-row:first-child .label-name"),
          description: text(".label-description"),
          detail: text(".quick-input-list-label-meta"),
        };
      }),
    );
  }

  /** Waits for the item with exactly this label and accepts it. */
  async pick(label: string, timeout?: number): Promise<void> {
    await this.#row(label).click(timeout === undefined ? {} : { timeout });
  }

  /** Ticks an item of a pick that takes many. */
  tick(label: string): Promise<void> {
    return this.#toggle(label);
  }

  /** Takes the tick off an item that has one. */
  untick(label: string): Promise<void> {
    return this.#toggle(label);
  }

  /** Enter. */
  async accept(): Promise<void> {
    await this.#input().press("Enter");
  }

  /** Enter on the row that has the focus, once the list is there: until then there is nothing to accept. */
  async acceptRow(): Promise<void> {
    await this.#rows().first().waitFor();
    await this.accept();
  }

  /** Escape. */
  async cancel(): Promise<void> {
    await this.#page.keyboard.press("Escape");
    await this.#widget.waitFor({ state: "detached" });
  }

  async #toggle(label: string): Promise<void> {
    await this.#row(label).locator(".quick-input-list-checkbox, .monaco-checkbox").first().click();
  }

  #input(): Locator {
    return this.#widget
      .locator(".quick-input-box input, .quick-input-filter input:not([type=checkbox])")
      .first();
  }

  #rows(): Locator {
    return this.#widget.locator(".quick-input-list .monaco-list-row");
  }

  #row(label: string): Locator {
    const exact = new RegExp(`^\\s*${RegExp.escape(label)}\\s*$`);
    return this.#rows()
      .filter({ has: this.#page.locator(".label-name", { hasText: exact }) })
      .first();
  }
}
