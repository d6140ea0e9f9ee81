import assert from "node:assert/strict";
import { chromium } from "playwright-core";
import type { Browser } from "playwright-core";
import { chromiumFlags, ensureChromium } from "../vscode/chromium.ts";
import type { PageOptions } from "./panel-page.ts";
import { PanelPage } from "./panel-page.ts";

/**
 * Gives the suite around it a browser. What it returns opens a page, which the end of the test closes; every page must obey
 * its content security policy and throw nothing, whatever else the test looks at.
 */
export function usePanelPages(): (options?: PageOptions) => Promise<PanelPage> {
  let browser: Browser;
  const pages: PanelPage[] = [];

  before(async () => {
    browser = await chromium.launch({ executablePath: ensureChromium(), args: [...chromiumFlags] });
  });

  afterEach(async () => {
    const faults = [];
    for (const page of pages.splice(0)) {
      faults.push(...(await page.faults()));
      await page.close();
    }
    assert.deepEqual(faults, []);
  });

  after(() => browser.close());

  return async (options) => {
    const page = await PanelPage.open(browser, options);
    pages.push(page);
    return page;
  };
}
