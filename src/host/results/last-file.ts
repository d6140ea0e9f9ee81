import { window, workspace } from "vscode";
import type { Disposable, TextDocument, TextEditor } from "vscode";
import { SCHEME } from "../scheme.ts";

/** Remembers the file that was last worked on, for a result that is looked at takes its place as the active editor. */
export class LastFile implements Disposable {
  #document: TextDocument | undefined;
  readonly #subscription = window.onDidChangeActiveTextEditor((editor) => this.#note(editor));

  constructor() {
    this.#note(window.activeTextEditor);
  }

  /** Its editor, shown. */
  async editor(): Promise<TextEditor | undefined> {
    const active = window.activeTextEditor;
    if (active && active.document.uri.scheme !== SCHEME) return active;
    const document = this.#document;
    if (!document || !workspace.textDocuments.includes(document)) return undefined;
    const visible = window.visibleTextEditors.find((editor) => editor.document === document);
    return window.showTextDocument(
      document,
      visible?.viewColumn === undefined ? {} : { viewColumn: visible.viewColumn },
    );
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #note(editor: TextEditor | undefined): void {
    const scheme = editor?.document.uri.scheme;
    if (editor && (scheme === "file" || scheme === "untitled")) this.#document = editor.document;
  }
}
