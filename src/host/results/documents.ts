import { l10n, Uri, window, workspace } from "vscode";
import type { Disposable, TextDocumentContentProvider } from "vscode";
import { StateError } from "../../core/errors.ts";
import type { Operation } from "../../core/operation.ts";
import type { Result } from "../../core/result.ts";
import type { Parts } from "../parts.ts";
import { resultMarkdown } from "./markdown-result.ts";

const SCHEME = "batch-control";

/** Read-only documents, one for each answered request: `batch-control:/result/<id>/<label>.md`. */
export class ResultDocuments implements TextDocumentContentProvider, Disposable {
  readonly #journal: Pick<Parts["journal"], "operation" | "result">;
  readonly #registration = workspace.registerTextDocumentContentProvider(SCHEME, this);

  constructor(journal: Pick<Parts["journal"], "operation" | "result">) {
    this.#journal = journal;
  }

  async provideTextDocumentContent(uri: Uri): Promise<string> {
    const id = /^\/result\/([0-9a-f-]{36})\/[^/]*$/.exec(uri.path)?.[1];
    return id === undefined ? "" : this.#content(id);
  }

  async open(id: string): Promise<void> {
    // Read first, so that a refusal is an error and not an empty document.
    const { operation } = await this.#find(id);
    const document = await workspace.openTextDocument(
      Uri.from({ scheme: SCHEME, path: `/result/${id}/${titleOf(operation.label)}.md` }),
    );
    await window.showTextDocument(document, { preview: true });
  }

  dispose(): void {
    this.#registration.dispose();
  }

  async #content(id: string): Promise<string> {
    const { operation, result } = await this.#find(id);
    return resultMarkdown(operation, result);
  }

  async #find(id: string): Promise<{ readonly operation: Operation; readonly result: Result }> {
    const operation = await this.#journal.operation(id);
    if (!operation) throw new StateError("not-found", l10n.t("id: there is no operation {0}.", id));
    if (operation.kind !== "request")
      throw new StateError("not-a-request", l10n.t("id: {0} is not an LLM request.", id));
    const result = await this.#journal.result(id);
    if (!result)
      throw new StateError(
        "not-final",
        l10n.t("id: this request has no result yet; it is {0}.", operation.status),
      );
    return { operation, result };
  }
}

/** Names the tab: the request's label as one file name. */
function titleOf(label: string): string {
  const words = label.replace(/[^\p{L}\p{N} ._-]+/gu, " ").trim();
  return Array.from(words).slice(0, 40).join("").trim() || "result";
}
