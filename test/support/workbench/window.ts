import { isDeepStrictEqual } from "node:util";
import type { Frame, Page } from "playwright-core";
import { Bridge } from "./bridge.ts";
import { Notifications } from "./notifications.ts";
import { QuickInput } from "./quick-input.ts";
import { StatusBar } from "./status-bar.ts";
import { TreeView } from "./tree-view.ts";
import { until } from "./until.ts";

/** Where the bridges of a server announce themselves. */
export interface Hosts {
  readonly folder: string;
  readonly known: Set<number>;
  readonly open: string | undefined;
}

export const themes = {
  "Default Dark Modern": "vs-dark",
  "Default Light Modern": "vs",
  "Default High Contrast": "hc-black",
  "Default High Contrast Light": "hc-light",
} as const;

/** One window of a workbench: what a person does and sees in it, and the bridge into its extension host. */
export class WorkbenchWindow {
  readonly page: Page;
  readonly quickInput: QuickInput;
  readonly notifications: Notifications;
  readonly statusBar: StatusBar;
  /** What the page's console said, the extension host's included. */
  readonly consoleLines: string[] = [];
  readonly #url: string;
  readonly #hosts: Hosts;
  #bridge: Bridge | undefined;

  constructor(page: Page, url: string, hosts: Hosts) {
    this.page = page;
    this.quickInput = new QuickInput(page);
    this.notifications = new Notifications(page);
    this.statusBar = new StatusBar(page);
    this.#url = url;
    this.#hosts = hosts;
    page.on("console", (message) => this.consoleLines.push(`[${message.type()}] ${message.text()}`));
    page.on("pageerror", (error) => this.consoleLines.push(`[page error] ${error.stack ?? error.message}`));
  }

  /** Of the extension host that runs now: a reload or a crash ends it, and the next one has another. */
  get bridge(): Bridge {
    if (this.#bridge === undefined) throw new Error("The window has not been loaded.");
    return this.#bridge;
  }

  async load(): Promise<void> {
    await this.page.goto(this.#url);
    await this.#ready();
  }

  /** As "Developer: Reload Window" does. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.#ready();
  }

  /** Waits until the browser has stored what holds this text: the workbench remembers its tabs some seconds late. */
  async waitForStored(text: string): Promise<void> {
    await until(`"${text}" in the workbench's storage`, () => this.page.evaluate(isStored, text));
  }

  /** Kills the process of the extension host, as a crash would, and waits for the one that the window starts in its place. */
  async crashExtensionHost(): Promise<void> {
    process.kill(this.bridge.pid, "SIGKILL");
    await this.reconnect();
  }

  /** Waits for a new extension host of this window. */
  async reconnect(): Promise<void> {
    const { folder, known, open } = this.#hosts;
    this.#bridge = await Bridge.connect(folder, known, open);
  }

  async close(): Promise<void> {
    await this.page.close({ runBeforeUnload: true });
  }

  /** Runs a command from the palette by the title it has there, such as `Batch Control: Show Log`. */
  async runCommand(title: string): Promise<void> {
    // An editor that takes the focus once it has drawn something closes the palette; a person opens it again.
    await until(`the palette to run "${title}"`, async () => {
      try {
        await this.quickInput.openPalette(title, 5_000);
        await this.quickInput.pick(title, 5_000);
        return true;
      } catch {
        // One that stayed open goes on listing what there was when it was opened.
        if (await this.quickInput.visible()) await this.page.keyboard.press("Escape");
        return false;
      }
    });
  }

  /** The view with this title in the side bar or panel. */
  view(title: string): TreeView {
    return new TreeView(this.page, title);
  }

  /** Shows a view container by its icon in the activity bar. */
  async openViewContainer(title: string): Promise<void> {
    const item = this.page.locator(".activitybar .action-item", {
      has: this.page.locator(`.action-label[aria-label^="${title}"]`),
    });
    if (!(await item.evaluate(({ classList }) => classList.contains("checked")))) await item.click();
  }

  /** The innermost frame of a webview in which something matches the selector. */
  webview(selector: string): Promise<Frame> {
    return until(`a webview with ${selector}`, async () => {
      for (const frame of this.page.frames()) {
        // A frame may go away while it is asked.
        if (
          frame !== this.page.mainFrame() &&
          (await frame
            .locator(selector)
            .count()
            .catch(() => 0)) > 0
        )
          return frame;
      }
      return undefined;
    });
  }

  /** The titles of open editors, in order. */
  editorTitles(): Promise<string[]> {
    return this.page.locator(".tabs-container .tab .label-name").allTextContents();
  }

  async closeAuxiliaryBar(): Promise<void> {
    await this.bridge.command("workbench.action.closeAuxiliaryBar");
  }

  /** Resolves when the window shows the theme. */
  async setTheme(name: keyof typeof themes): Promise<void> {
    await this.bridge.evaluate(
      ({ vscode }, theme) => vscode.workspace.getConfiguration("workbench").update("colorTheme", theme, true),
      name,
    );
    await this.page.locator(`.monaco-workbench.${themes[name]}`).waitFor();
  }

  /** Resolves when the extension host sees the setting at this value. */
  async waitForSetting(key: string, value: unknown): Promise<void> {
    await until(`${key} to be ${JSON.stringify(value)}`, async () => {
      const now = await this.bridge.evaluate(
        ({ vscode }, name) => vscode.workspace.getConfiguration().get(name),
        key,
      );
      return isDeepStrictEqual(now, value);
    });
  }

  async #ready(): Promise<void> {
    await this.page.locator(".monaco-workbench .statusbar").waitFor({ timeout: 60_000 });
    await this.reconnect();
    await this.closeAuxiliaryBar();
  }
}

/** Runs in the page. */
async function isStored(text: string): Promise<boolean> {
  const answer = <Value>(request: IDBRequest<Value>): Promise<Value> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error("The storage cannot be read."));
    });
  for (const { name } of await indexedDB.databases()) {
    if (name === undefined) continue;
    const database = await answer(indexedDB.open(name));
    try {
      for (const store of database.objectStoreNames) {
        const all = await answer(database.transaction(store).objectStore(store).getAll());
        if (all.some((value) => typeof value === "string" && value.includes(text))) return true;
      }
    } finally {
      database.close();
    }
  }
  return false;
}
