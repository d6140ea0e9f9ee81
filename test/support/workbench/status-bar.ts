import type { Locator, Page } from "playwright-core";
import { until } from "./until.ts";

export interface StatusBarItem {
  /** Extension and item id, such as `batch-control.batch-control.waiting`. */
  readonly id: string;
  /** Without icons. */
  readonly text: string;
  /** Names of the codicons in front of and in the text. */
  readonly icons: readonly string[];
  /** What a screen reader says: the text, or the accessibility label. */
  readonly label: string;
  /** `warning` or `error` where the background says so. */
  readonly kind: "warning" | "error" | "standard";
}

export class StatusBar {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** From left to right; hidden ones are left out. */
  items(): Promise<StatusBarItem[]> {
    return this.#page.locator(".statusbar .statusbar-item:visible").evaluateAll((items) =>
      items.map((item) => ({
        id: item.id,
        text: item.textContent.trim(),
        icons: [...item.querySelectorAll(".codicon")].flatMap((icon) =>
          [...icon.classList]
            .filter((name) => name.startsWith("codicon-"))
            .map((name) => name.slice("codicon-".length)),
        ),
        label: item.querySelector("a")?.getAttribute("aria-label") ?? item.getAttribute("aria-label") ?? "",
        kind: item.classList.contains("error-kind")
          ? ("error" as const)
          : item.classList.contains("warning-kind")
            ? ("warning" as const)
            : ("standard" as const),
      })),
    );
  }

  /** Waits for an item whose id, text or label matches. */
  waitFor(what: RegExp): Promise<StatusBarItem> {
    return until(`a status bar item that matches ${String(what)}`, async () => {
      return (await this.items()).find(
        ({ id, text, label }) => what.test(id) || what.test(text) || what.test(label),
      );
    });
  }

  async click(item: StatusBarItem): Promise<void> {
    await this.#item(item).click();
  }

  /** The text of the item's hover. */
  async tooltip(item: StatusBarItem): Promise<string> {
    await this.#item(item).hover();
    const hover = this.#page.locator(
      ".workbench-hover-container .monaco-hover:visible, .monaco-hover.workbench-hover:visible",
    );
    return hover.first().innerText();
  }

  #item({ id }: StatusBarItem): Locator {
    return this.#page.locator(`.statusbar .statusbar-item[id="${id}"]`);
  }
}
