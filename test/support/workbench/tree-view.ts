import type { Locator, Page } from "playwright-core";
import { chooseFromMenu, contextMenu } from "./context-menu.ts";
import { until } from "./until.ts";

export interface TreeRow {
  /** 1 for roots. */
  readonly level: number;
  readonly label: string;
  readonly description: string;
  /** Undefined for a leaf. */
  readonly expanded: boolean | undefined;
  /** What a screen reader says. */
  readonly ariaLabel: string;
}

/** The tree is drawn once more after two seconds without a change. */
const SETTLED_MS = 3000;

/** A tree view by its title. Only rows that are scrolled into sight exist. */
export class TreeView {
  readonly #page: Page;
  readonly #pane: Locator;

  constructor(page: Page, title: string) {
    this.#page = page;
    const header = page.locator(`.pane-header[aria-label^="${title}"]`);
    this.#pane = page.locator(".pane", { has: header }).first();
  }

  rows(): Promise<TreeRow[]> {
    return this.#rows().evaluateAll((rows) =>
      rows
        .map((row) => {
          const expanded = row.getAttribute("aria-expanded");
          return {
            at: Number(row.getAttribute("data-index")),
            level: Number(row.getAttribute("aria-level")),
            label: row.querySelector(".label-name")?.textContent.trim() ?? "",
            description: row.querySelector(".label-description")?.textContent.trim() ?? "",
            expanded: expanded === null ? undefined : expanded === "true",
            ariaLabel: row.getAttribute("aria-label") ?? "",
          };
        })
        // The list reuses elements: their order in the document is not the one on the screen.
        .sort((a, b) => a.at - b.at)
        .map(({ at: _at, ...row }) => row),
    );
  }

  /** Waits for a row whose label contains the text or matches. */
  waitForRow(label: string | RegExp): Promise<TreeRow> {
    return until(`a row ${String(label)} in the tree`, async () => {
      return (await this.rows()).find((row) =>
        typeof label === "string" ? row.label.includes(label) : label.test(row.label),
      );
    });
  }

  /** What the view shows instead of rows. */
  async welcome(): Promise<string> {
    return this.#pane.locator(".welcome-view-content").innerText();
  }

  /** The view's message above the rows. */
  async message(): Promise<string> {
    return this.#pane.locator(".tree-explorer-viewlet-tree-view .message").innerText();
  }

  async click(label: string): Promise<void> {
    await this.#row(label).click();
  }

  /** Expands the row, or does nothing where it is. */
  async expand(label: string): Promise<void> {
    const row = this.#row(label);
    if ((await row.getAttribute("aria-expanded")) === "false")
      await row.locator(".monaco-tl-twistie").click();
  }

  /** An icon that the row shows while the mouse is on it. */
  async inlineAction(label: string, action: string): Promise<void> {
    await this.settled();
    const row = this.#row(label);
    await row.hover();
    await row.locator(`.actions .action-label[aria-label^="${action}"]`).click();
  }

  /** The entries of the row's context menu; leaves it open. */
  contextMenu(label: string): Promise<string[]> {
    return contextMenu(this.#page, this.#row(label));
  }

  async contextAction(label: string, action: string): Promise<void> {
    await this.settled();
    await chooseFromMenu(this.#page, this.#row(label), action);
  }

  /** Drops a row on another. */
  async drag(label: string, onto: string): Promise<void> {
    await this.settled();
    await this.#row(label).dragTo(this.#row(onto));
  }

  /** A button in the view's title bar. */
  async titleAction(action: string): Promise<void> {
    await this.#pane.hover();
    await this.#pane.locator(`.pane-header .actions .action-label[aria-label^="${action}"]`).first().click();
  }

  /** Resolves when no redraw is to be expected any more, in which a menu or a dragged row would lose what it belongs to. */
  async settled(): Promise<void> {
    let last = "";
    let since = Date.now();
    await until("the tree to settle", async () => {
      const now = JSON.stringify(await this.rows());
      if (now !== last) since = Date.now();
      last = now;
      return Date.now() - since > SETTLED_MS;
    });
  }

  #rows(): Locator {
    return this.#pane.locator(".monaco-list-row[role=treeitem]");
  }

  #row(label: string): Locator {
    return this.#rows()
      .filter({ has: this.#page.locator(".label-name", { hasText: label }) })
      .first();
  }
}
