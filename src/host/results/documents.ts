import { Uri, window, workspace } from "vscode";
import { SCHEME } from "../virtual-documents.ts";
import type { AnsweredRequests } from "./answered.ts";
import { resultMarkdown } from "./markdown-result.ts";
import { titleOf } from "./title.ts";

/** The request that a document's path is the result of. */
export const resultIdOf = (path: string): string | undefined =>
  /^\/result\/([0-9a-f-]{36})\/[^/]*$/.exec(path)?.[1];

/** Read-only documents, one for each answered request: `batch-control:/result/<id>/<label>.md`. */
export class ResultDocuments {
  readonly #answered: AnsweredRequests;

  constructor(answered: AnsweredRequests) {
    this.#answered = answered;
  }

  /** The text of a document by its path, where it is one of these. */
  text(path: string): Promise<string> | undefined {
    const id = resultIdOf(path);
    return id === undefined ? undefined : this.#content(id);
  }

  async uri(id: string): Promise<Uri> {
    // Read first, so that a refusal is an error and not an empty document.
    const { operation } = await this.#answered.find(id);
    return Uri.from({ scheme: SCHEME, path: `/result/${id}/${titleOf(operation.label)}.md` });
  }

  async open(id: string): Promise<void> {
    const document = await workspace.openTextDocument(await this.uri(id));
    await window.showTextDocument(document, { preview: true });
  }

  async #content(id: string): Promise<string> {
    const { operation, result } = await this.#answered.find(id);
    return resultMarkdown(operation, result);
  }
}
