import { commands, env, extensions, l10n, Uri, window, workspace } from "vscode";
import type { Disposable, TextDocumentContentProvider } from "vscode";
import { usdText } from "../core/usd.ts";
import type { FlushPlan } from "./flush-plan.ts";
import { planMarkdown } from "./plan-markdown.ts";

/** Menus of its editors look for it. */
const SCHEME = "batch-control-plan";
/** The editor of the built-in extension that renders Markdown. Unlike its other previews it keeps the document's address. */
const RENDERED = { extension: "vscode.markdown-language-features", editor: "vscode.markdown.preview.editor" };

/** Shows plans rendered and read-only, each as it was when asked for. */
export class PlanDocuments implements TextDocumentContentProvider, Disposable {
  readonly #texts = new Map<string, string>();
  readonly #registration = workspace.registerTextDocumentContentProvider(SCHEME, this);

  provideTextDocumentContent({ path }: Uri): string | undefined {
    return this.#texts.get(path);
  }

  async show(plan: FlushPlan): Promise<void> {
    const path = `/${this.#texts.size + 1}/${l10n.t("Flush plan")}.md`;
    this.#texts.set(path, planMarkdown(plan, l10n.t, usdText(env.language)));
    const document = await workspace.openTextDocument(Uri.from({ scheme: SCHEME, path }));
    // The person may have switched the built-in extension off.
    if (extensions.getExtension(RENDERED.extension))
      await commands.executeCommand("vscode.openWith", document.uri, RENDERED.editor, { preview: true });
    else await window.showTextDocument(document, { preview: true });
  }

  dispose(): void {
    this.#registration.dispose();
  }
}
