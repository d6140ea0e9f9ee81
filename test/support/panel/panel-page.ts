import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { panelHtml } from "../../../src/host/panel/html.ts";
import { panelStrings } from "../../../src/host/panel/strings.ts";
import type { FromPanel, Snapshot, ToPanel } from "../../../src/protocol.ts";
import { outDir, root } from "../paths.ts";
import themes from "./themes.json" with { type: "json" };

export type Theme = keyof typeof themes;
export const themeNames = Object.keys(themes) as Theme[];

/** Stands in for a webview's own origin; everything is answered from the built bundle. */
const origin = "http://panel.test";
const contentTypes: Readonly<Record<string, string>> = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".ttf": "font/ttf",
};
/** A little after everything in the made-up snapshots. */
const now = "2026-03-02T10:00:00Z";
const strings = panelStrings({ t: (message: unknown) => String(message) });

export interface PageOptions {
  readonly theme?: Theme;
  readonly place?: "editor" | "view";
  readonly width?: number;
  readonly height?: number;
  readonly forcedColors?: "active" | "none";
  /** What the page's `getState` answers, as after a reload. */
  readonly state?: unknown;
}

declare global {
  interface Window {
    readonly seen: { messages: FromPanel[]; violations: string[]; errors: string[]; state: unknown };
  }
}

/** The built panel in a plain browser, with the theme's variables as the workbench gives them and a recording host. */
export class PanelPage {
  readonly page: Page;

  private constructor(page: Page) {
    this.page = page;
  }

  static async open(browser: Browser, options: PageOptions = {}): Promise<PanelPage> {
    const {
      theme = "dark",
      place = "editor",
      width = 1000,
      height = 800,
      forcedColors = "none",
      state,
    } = options;
    const context = await browser.newContext({
      viewport: { width, height },
      reducedMotion: "reduce",
      forcedColors,
      locale: "en",
      timezoneId: "UTC",
    });
    const page = await context.newPage();
    await page.route(`${origin}/**`, async (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname === "/") return route.fulfill({ contentType: "text/html", body: html(place) });
      const body = await readFile(path.join(root, "dist", pathname));
      return route.fulfill({ contentType: contentTypes[path.extname(pathname)] ?? "", body });
    });
    page.setDefaultTimeout(15_000);
    await page.clock.setFixedTime(now);
    await page.addInitScript(actAsWebview, { theme, variables: themes[theme], place, state });
    await page.goto(`${origin}/`);
    await page.waitForFunction(() => window.seen.messages.some(({ kind }) => kind === "ready"));
    return new PanelPage(page);
  }

  /** `locale`: of numbers and dates; the texts stay English. */
  async show(snapshot: Snapshot, locale = "en"): Promise<void> {
    await this.post({ kind: "snapshot", snapshot, strings, locale });
    await this.page.locator("panel-header h1").waitFor();
  }

  async post(message: ToPanel): Promise<void> {
    // As one string: the browser's driver takes seconds to hand over ten thousand objects one by one.
    await this.page.evaluate(async (json) => {
      window.postMessage(JSON.parse(json), "*");
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    }, JSON.stringify(message));
  }

  /** The row of the list with this key: a batch's or operation's id, or `queue:<group>`. */
  row(key: string): Locator {
    return this.page.locator(`[data-key="${key}"]`);
  }

  /** A headline figure and the lines beneath it. */
  async total(name: string): Promise<string[]> {
    const lines = await this.page.locator(`[data-total=${name}] dd`).allInnerTexts();
    return lines.map((line) => line.trim());
  }

  /** The key of the focused row, or the request of the focused action of one. */
  focused(): Promise<string | null | undefined> {
    return this.page.evaluate(() => {
      let element = document.activeElement;
      while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
      return element?.getAttribute("data-key") ?? element?.getAttribute("data-action");
    });
  }

  /** What the panel asked of its host, the handshake left out. */
  async requests(): Promise<FromPanel[]> {
    const messages = await this.page.evaluate(() => window.seen.messages);
    return messages.filter(({ kind }) => kind !== "ready");
  }

  state(): Promise<unknown> {
    return this.page.evaluate(() => window.seen.state);
  }

  /** Breaches of the content security policy, and errors of the page. */
  faults(): Promise<string[]> {
    return this.page.evaluate(() => [...window.seen.violations, ...window.seen.errors]);
  }

  async picture(name: string, { fullPage = true }: { readonly fullPage?: boolean } = {}): Promise<void> {
    await this.page.evaluate(() => document.fonts.ready);
    // Hiding the caret would put a style element on the page, which its policy forbids.
    if (fullPage) await this.#fitHeight();
    await this.page.screenshot({ path: path.join(outDir, "screenshots", `${name}.png`), caret: "initial" });
  }

  /** Rows out of view are not on the page: makes the window as high as the page. */
  async #fitHeight(): Promise<void> {
    const { width } = this.page.viewportSize() ?? { width: 1000 };
    for (let fits = false; !fits;) {
      const height = await this.page.evaluate(() => document.documentElement.scrollHeight);
      fits = height === this.page.viewportSize()?.height;
      await this.page.setViewportSize({ width, height });
    }
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}

const html = (place: "editor" | "view"): string =>
  panelHtml({
    script: `${origin}/panel.js`,
    codicons: `${origin}/codicons/codicon.css`,
    nonce: "bm9uY2U",
    cspSource: origin,
    language: "en",
    title: "Batch Control",
    place,
  });

/** Runs in the page before anything else: what the workbench does to a webview, as far as the panel can tell. */
function actAsWebview(given: {
  theme: Theme;
  variables: Readonly<Record<string, string>>;
  place: "editor" | "view";
  state: unknown;
}): void {
  const seen = {
    messages: [] as FromPanel[],
    violations: [] as string[],
    errors: [] as string[],
    state: given.state,
  };
  Object.assign(window, {
    seen,
    acquireVsCodeApi: () => ({
      postMessage: (message: FromPanel) => void seen.messages.push(message),
      getState: () => seen.state,
      setState: (state: unknown) => (seen.state = state),
    }),
  });
  document.addEventListener("securitypolicyviolation", (event) => {
    seen.violations.push(`${event.effectiveDirective} ${event.blockedURI} ${event.sample}`);
  });
  window.addEventListener("error", (event) => seen.errors.push(event.message));
  window.addEventListener("unhandledrejection", (event) => seen.errors.push(String(event.reason)));
  const sheet = new CSSStyleSheet();
  const background = given.place === "view" ? "sideBar" : "editor";
  const variables = Object.entries(given.variables).map(([name, value]) => `${name}: ${value};`);
  sheet.replaceSync(`
    html { ${variables.join("")}
      --vscode-font-family: "Segoe WPC", "Segoe UI", system-ui, "Ubuntu", "Liberation Sans", sans-serif;
      --vscode-font-size: 13px; --vscode-font-weight: normal;
      color-scheme: ${given.theme.includes("dark") ? "dark" : "light"};
      scrollbar-color: var(--vscode-scrollbarSlider-background) transparent;
      background: var(--vscode-${background}-background); }
    body { margin: 0; padding: 0 20px; color: var(--vscode-foreground);
      font: var(--vscode-font-weight) var(--vscode-font-size)/normal var(--vscode-font-family); }`);
  document.adoptedStyleSheets = [sheet];
  document.addEventListener("DOMContentLoaded", () => {
    const kind = {
      dark: "vscode-dark",
      light: "vscode-light",
      "hc-dark": "vscode-high-contrast",
      "hc-light": "vscode-high-contrast-light",
    };
    document.body.classList.add(kind[given.theme]);
  });
}
