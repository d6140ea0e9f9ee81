import { env, l10n, Uri, workspace } from "vscode";
import type { Disposable, TextDocumentContentProvider } from "vscode";
import { numbersIn } from "./numbers.ts";
import type { FlushPlan } from "./flush-plan.ts";
import { planMarkdown } from "./plan-markdown.ts";
import { showRendered } from "./show-rendered.ts";

/** Menus of its editors look for it. */
const SCHEME = "batch-control-plan";

/** Shows plans rendered and read-only, each as it was when asked for. */
export class PlanDocuments implements TextDocumentContentProvider, Disposable {
  readonly #texts = new Map<string, string>();
  readonly #registration = workspace.registerTextDocumentContentProvider(SCHEME, this);

  provideTextDocumentContent({ path }: Uri): string | undefined {
    return this.#texts.get(path);
  }

  async show(plan: FlushPlan): Promise<void> {
    const path = `/${this.#texts.size + 1}/${l10n.t("Flush plan")}.md`;
    this.#texts.set(path, planMarkdown(plan, l10n.t, numbersIn(env.language)));
    await showRendered(Uri.from({ scheme: SCHEME, path }));
  }

  dispose(): void {
    this.#registration.dispose();
  }
}
