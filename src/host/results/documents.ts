import { l10n, Position, Range, TextEditorRevealType, Uri, window, workspace } from "vscode";
import type { Operation } from "../../core/operation.ts";
import type { Result } from "../../core/result.ts";
import type { Parts } from "../parts.ts";
import { SCHEME } from "../scheme.ts";
import type { AnsweredRequests } from "./answered.ts";
import { answerLine, answerMarkdown, unfinishedMarkdown, resultMarkdown } from "./markdown-result.ts";
import { titleOf } from "./title.ts";

/** The request that a document's path is the result of. */
export const resultIdOf = (path: string): string | undefined =>
  /^\/result\/([0-9a-f-]{36})\/[^/]*$/.exec(path)?.[1];

/** The query of a document without front matter. */
const ANSWER = "answer";

const addressOf = ({ id, label }: Pick<Operation, "id" | "label">): Uri =>
  Uri.from({ scheme: SCHEME, path: `/result/${id}/${titleOf(label)}.md` });

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

  /** The text of a document by its address, where it is one of these. */
  text({ path, query }: Pick<Uri, "path" | "query">): Promise<string> | undefined {
    const id = resultIdOf(path);
    if (id === undefined) return undefined;
    return query === ANSWER ? this.#answer(id) : this.#content(id, path);
  }

  /** The answer alone, to be compared with another one. */
  async answerUri(id: string): Promise<Uri> {
    const { operation } = await this.#deps.answered.find(id);
    return addressOf(operation).with({ query: ANSWER });
  }

  /** Begins in the answer, near the top; what it used and cost stands above that. */
  async open(id: string): Promise<void> {
    // Read first, so that a refusal is an error and not an empty document.
    const operation = await this.#deps.answered.begun(id);
    const document = await workspace.openTextDocument(addressOf(operation));
    const start = new Position(answerLine(document.getText()), 0);
    const selection = new Range(start, start);
    const editor = await window.showTextDocument(document, { preview: true, selection });
    editor.revealRange(selection, TextEditorRevealType.AtTop);
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  async #answer(id: string): Promise<string> {
    return answerMarkdown((await this.#deps.answered.find(id)).result, l10n.t);
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
