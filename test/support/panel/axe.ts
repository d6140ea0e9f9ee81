import axe from "axe-core";
import type { Page } from "playwright-core";

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
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(async (enabled) => {
    const breaches = window.seen.violations.length;
    const results = await window.axe.run({ rules: { "color-contrast": { enabled } } });
    // Those are axe's own: it puts a style element on the page.
    window.seen.violations.length = breaches;
    return results;
  }, contrast);
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(
        ({ target, failureSummary }) => `${id} at ${target.flat().join(" ")}: ${failureSummary ?? ""}`,
      ),
    );
}
