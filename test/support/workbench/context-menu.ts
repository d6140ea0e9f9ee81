import type { Locator, Page } from "playwright-core";
import { until } from "./until.ts";

/** The menu that was opened last. */
const menuOf = (page: Page): Locator =>
  page.locator(".context-view .monaco-menu:visible, .monaco-menu-container .monaco-menu:visible").last();

/** Opens the context menu of what the locator finds, and answers the entries that can be chosen. */
export async function contextMenu(page: Page, owner: Locator): Promise<string[]> {
  await owner.click({ button: "right" });
  const menu = menuOf(page);
  await menu.waitFor();
  const entries = await menu.locator(".action-item:not(.disabled) .action-label").allInnerTexts();
  return entries.map((entry) => entry.trim()).filter((entry) => entry !== "");
}

/**
 * Chooses an entry of a context menu as a person does: a menu ignores a click that comes too soon after it opened, so it
 * is clicked again; and where something that takes the focus late has closed it unclicked, it is opened again.
 */
export async function chooseFromMenu(page: Page, owner: Locator, action: string): Promise<void> {
  const entry = page.locator(".monaco-menu .action-item", { hasText: action }).last();
  let clicked = false;
  await until(`the menu to take "${action}"`, async () => {
    if (clicked && (await entry.count()) === 0) return true;
    try {
      if ((await entry.count()) === 0) await contextMenu(page, owner);
      await entry.click({ timeout: 1_000 });
      clicked = true;
    } catch {
      // Not there yet, or not any more.
    }
    return false;
  });
}
