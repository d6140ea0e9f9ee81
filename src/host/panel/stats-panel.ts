import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import type { Clock, Logger } from "../../core/ports.ts";
import type { PanelRequest, Snapshot } from "../../protocol.ts";
import { PanelConnection } from "./connection.ts";
import type { ConnectionDeps } from "./connection.ts";
import { panelHtml } from "./html.ts";

const panelType = "batchControl.panel";
const statsViewId = "batchControl.statsView";

export interface StatsPanelDeps {
  readonly extensionUri: vscode.Uri;
  readonly clock: Pick<Clock, "after">;
  readonly snapshot: () => Snapshot;
  readonly onDidChangeSnapshot: vscode.Event<unknown>;
  /** Carries out what the reader asked for, from a person; a rejection's message is shown beside what was pressed. */
  readonly run: (request: PanelRequest) => Promise<void>;
  readonly told: ConnectionDeps["told"];
  readonly older: ConnectionDeps["older"];
  readonly strings: Readonly<Record<string, string>>;
  /** BCP 47, for texts, numbers and dates. */
  readonly locale: string;
  readonly log: Logger;
}

/**
 * Tabs of the panel while this host has none: one that an ended extension host left behind, which nobody answers any more,
 * or one that is restored only when it is looked at. The editor tells the two apart by nothing, and can reveal neither.
 */
const deafTabs = (): readonly vscode.Tab[] =>
  vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    // The editor puts a prefix of its own before the type.
    .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(panelType));

/** The statistics in an editor tab and, as the same page, in a view; both come back after a reload. */
export class StatsPanel
  implements vscode.WebviewPanelSerializer, vscode.WebviewViewProvider, vscode.Disposable
{
  readonly #deps: StatsPanelDeps;
  readonly #registrations: readonly vscode.Disposable[];
  #panel: vscode.WebviewPanel | undefined;

  /** Registers the panel's serializer and the view. */
  constructor(deps: StatsPanelDeps) {
    this.#deps = deps;
    this.#registrations = [
      vscode.window.registerWebviewPanelSerializer(panelType, this),
      vscode.window.registerWebviewViewProvider(statsViewId, this),
    ];
  }

  /** Shows the tab; opens it where there is none that this host can speak to. */
  open(): void {
    if (this.#panel !== undefined) {
      this.#panel.reveal();
      return;
    }
    const deaf = deafTabs();
    const column = deaf[0]?.group.viewColumn ?? vscode.ViewColumn.Active;
    this.#adopt(vscode.window.createWebviewPanel(panelType, this.#title, column, this.#options));
    if (deaf.length > 0) void vscode.window.tabGroups.close(deaf);
  }

  deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    if (this.#panel !== undefined) {
      panel.dispose();
      return Promise.resolve();
    }
    panel.webview.options = this.#options;
    this.#adopt(panel);
    return Promise.resolve();
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    view.webview.options = this.#options;
    this.#fill(view, "view", view.onDidChangeVisibility);
  }

  dispose(): void {
    this.#panel?.dispose();
    for (const registration of this.#registrations) registration.dispose();
  }

  get #title(): string {
    return this.#deps.strings["title"] ?? "";
  }

  get #dist(): vscode.Uri {
    return vscode.Uri.joinPath(this.#deps.extensionUri, "dist");
  }

  get #options(): vscode.WebviewOptions {
    return { enableScripts: true, localResourceRoots: [this.#dist] };
  }

  #adopt(panel: vscode.WebviewPanel): void {
    this.#panel = panel;
    panel.iconPath = new vscode.ThemeIcon("layers");
    panel.onDidDispose(() => {
      if (this.#panel === panel) this.#panel = undefined;
    });
    this.#fill(panel, "editor", panel.onDidChangeViewState);
  }

  /** Connects a page and loads it; all ends with the page. */
  #fill(
    owner: vscode.WebviewPanel | vscode.WebviewView,
    place: "editor" | "view",
    onDidChangeVisibility: vscode.Event<unknown>,
  ): void {
    const { webview } = owner;
    const page = {
      get visible() {
        return owner.visible;
      },
      post: (message: unknown) => webview.postMessage(message),
    };
    const connection = new PanelConnection({ ...this.#deps, page });
    const ends = [
      connection,
      webview.onDidReceiveMessage((message: unknown) => void connection.receive(message)),
      onDidChangeVisibility(() => connection.visibilityChanged()),
      this.#deps.onDidChangeSnapshot(() => connection.changed()),
    ];
    owner.onDidDispose(() => ends.forEach((end) => void end.dispose()));
    const address = (...path: string[]): string =>
      webview.asWebviewUri(vscode.Uri.joinPath(this.#dist, ...path)).toString();
    webview.html = panelHtml({
      script: address("panel.js"),
      codicons: address("codicons", "codicon.css"),
      nonce: randomBytes(16).toString("base64url"),
      cspSource: webview.cspSource,
      language: this.#deps.locale,
      title: this.#title,
      place,
    });
  }
}
