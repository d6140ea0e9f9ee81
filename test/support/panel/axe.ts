import axe from "axe-core";
import type { Frame, Page } from "playwright-core";

declare global {
  interface Window {
    readonly axe: typeof axe;
  }
}

/**
 * What axe finds serious or critical on the page, one line each. With forced colours leave `contrast` out: axe reads the
 * colours that the page asked for, not those that the system puts in their place.
 */
export async function seriousFindings(page: Page, { contrast = true } = {}): Promise<string[]> {
  const breaches = await page.evaluate(() => window.seen.violations.length);
  const found = await seriousIn(page, "html", contrast ? [] : ["color-contrast"]);
  // Those are axe's own: it puts a style element on the page.
  await page.evaluate((before) => (window.seen.violations.length = before), breaches);
  return found;
}

/** The same of whatever the selector finds in any page or frame, but for the rules named. */
export async function seriousIn(
  frame: Page | Frame,
  selector: string,
  without: readonly string[] = [],
): Promise<string[]> {
  await frame.evaluate(axe.source);
  const { violations } = await frame.evaluate(
    ([include, disabled]) => {
      const rules = Object.fromEntries(disabled.map((rule) => [rule, { enabled: false }]));
      return window.axe.run({ include: [[include]] }, { rules });
    },
    [selector, without] as const,
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(
        ({ target, failureSummary }) => `${id} at ${target.flat().join(" ")}: ${failureSummary ?? ""}`,
      ),
    );
}
