import { EventEmitter, Uri, workspace } from "vscode";
import type { Disposable, TextDocumentContentProvider } from "vscode";

export const SCHEME = "batch-control";

/** Gives the text of a document by its address, or nothing where it is not one of its own. Rejects with why there is none. */
export type TextSource = (address: Pick<Uri, "path" | "query">) => Promise<string> | string | undefined;

/** All read-only documents of ours, `batch-control:<path>`; what none of the sources knows is empty. */
export class VirtualDocuments implements TextDocumentContentProvider, Disposable {
  readonly #sources: readonly TextSource[];
  readonly #shown = new Map<string, string>();
  readonly #changed = new EventEmitter<Uri>();
  readonly onDidChange = this.#changed.event;
  // After the event: the editor subscribes to it at once, and not again.
  readonly #registration = workspace.registerTextDocumentContentProvider(SCHEME, this);

  constructor(sources: readonly TextSource[]) {
    this.#sources = sources;
  }

  /** A document with this text, until another one takes its path. */
  show(path: string, text: string): Uri {
    const uri = Uri.from({ scheme: SCHEME, path });
    this.#shown.set(uri.path, text);
    this.#changed.fire(uri);
    return uri;
  }

  /** What the sources give for a path is another text by now. */
  changed(path: string): void {
    this.#changed.fire(Uri.from({ scheme: SCHEME, path }));
  }

  async provideTextDocumentContent(uri: Uri): Promise<string> {
    const shown = uri.query === "" ? this.#shown.get(uri.path) : undefined;
    if (shown !== undefined) return shown;
    for (const source of this.#sources) {
      const text = await source(uri);
      if (text !== undefined) return text;
    }
    return "";
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }
}
