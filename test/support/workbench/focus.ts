import type { Locator, Page } from "playwright-core";

/** Moves the focus with a key until the focused element's label, in whatever frame, contains the text or matches. */
export async function moveFocus(page: Page, key: string, label: string | RegExp, most = 60): Promise<void> {
  const met: string[] = [];
  for (let moves = 0; moves <= most; moves += 1) {
    const now = await focusedName(page);
    if (typeof label === "string" ? now.includes(label) : label.test(now)) return;
    met.push(now);
    await page.keyboard.press(key);
  }
  throw new Error(`${key} never reaches ${String(label)}, only:\n${met.join("\n")}`);
}

/** Moves the focus with a key until it is on or in one of what the locator finds. */
export async function moveFocusInto(page: Page, key: string, owner: Locator, most = 60): Promise<void> {
  const inside = owner.and(page.locator(":focus, :focus-within"));
  for (let moves = 0; moves <= most; moves += 1) {
    if ((await inside.count()) > 0) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} never reaches ${owner.toString()}`);
}

/** Accessible name, or text, of what has the focus. */
export async function focusedName(page: Page): Promise<string> {
  for (const frame of [...page.frames()].reverse()) {
    const found = await frame.evaluate(nameInFrame).catch(() => "");
    if (found !== "") return found;
  }
  return "";
}

const mark = "data-pointer";

/** From now on the page remembers whether a pointer was pressed. */
export async function watchPointer(page: Page): Promise<void> {
  await page.evaluate((name) => {
    addEventListener("pointerdown", () => document.body.setAttribute(name, "used"), true);
  }, mark);
}

export async function pointerUsed(page: Page): Promise<boolean> {
  return (await page.locator("body").getAttribute(mark)) !== null;
}

/** Frames that hold no focus, or whose focus lies in a frame of theirs, have none. */
function nameInFrame(): string {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  if (!document.hasFocus() || !element || element === document.body || element instanceof HTMLIFrameElement)
    return "";
  const active = element.getAttribute("aria-activedescendant");
  const real = (active === null ? undefined : document.getElementById(active)) ?? element;
  return (real.getAttribute("aria-label") ?? real.textContent)
    .replaceAll(/[\s\p{Co}]+/gu, " ")
    .trim()
    .slice(0, 200);
}
