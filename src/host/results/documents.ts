import { l10n, Uri, window, workspace } from "vscode";
import type { Result } from "../../core/result.ts";
import type { Parts } from "../parts.ts";
import { SCHEME } from "../scheme.ts";
import type { AnsweredRequests } from "./answered.ts";
import { unfinishedMarkdown, resultMarkdown } from "./markdown-result.ts";
import { titleOf } from "./title.ts";

/** The request that a document's path is the result of. */
export const resultIdOf = (path: string): string | undefined =>
  /^\/result\/([0-9a-f-]{36})\/[^/]*$/.exec(path)?.[1];

interface ResultDeps {
  readonly answered: AnsweredRequests;
  readonly live: Parts["live"];
  /** Resolves when the request is final. */
  readonly settled: (id: string) => Promise<Result>;
  /** The document of this path reads otherwise by now. */
  readonly changed: (path: string) => void;
}

/**
 * Read-only documents, one for each request that is answered or on its way: `batch-control:/result/<id>/<label>.md`. The latter
 * grows with its answer, where this window makes the call, and becomes the result at the end.
 */
export class ResultDocuments {
  readonly #deps: ResultDeps;
  /** Paths of documents whose answers are on their way. */
  readonly #growing = new Map<string, string>();
  readonly #subscription;

  constructor(deps: ResultDeps) {
    this.#deps = deps;
    this.#subscription = deps.live.onDidGrow((id) => {
      const path = this.#growing.get(id);
      if (path !== undefined) deps.changed(path);
    });
  }

  /** The text of a document by its path, where it is one of these. */
  text(path: string): Promise<string> | undefined {
    const id = resultIdOf(path);
    return id === undefined ? undefined : this.#content(id, path);
  }

  async uri(id: string): Promise<Uri> {
    // Read first, so that a refusal is an error and not an empty document.
    const { label } = await this.#deps.answered.begun(id);
    return Uri.from({ scheme: SCHEME, path: `/result/${id}/${titleOf(label)}.md` });
  }

  async open(id: string): Promise<void> {
    const document = await workspace.openTextDocument(await this.uri(id));
    await window.showTextDocument(document, { preview: true });
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  async #content(id: string, path: string): Promise<string> {
    const { answered, live } = this.#deps;
    const operation = await answered.begun(id);
    if (operation.status === "executing") {
      this.#follow(id, path);
      return unfinishedMarkdown(operation, live.text(id) ?? "");
    }
    return resultMarkdown(operation, (await answered.find(id)).result, l10n.t);
  }

  #follow(id: string, path: string): void {
    if (this.#growing.has(id)) return;
    this.#growing.set(id, path);
    const end = (): void => {
      this.#growing.delete(id);
      this.#deps.changed(path);
    };
    this.#deps.settled(id).then(end, end);
  }
}
