import {
  Disposable as EditorDisposable,
  EventEmitter,
  FileSystemError,
  FileType,
  l10n,
  Uri,
  window,
  workspace,
} from "vscode";
import type { Disposable, FileChangeEvent, FileStat, FileSystemProvider } from "vscode";
import { errorText } from "./reason-words.ts";
import type { TextField } from "./ui/edit-flow.ts";

const SCHEME = "batch-control-edit";

export interface EditDeps {
  /** The present text of a field of a queued operation. Rejects where there is none. */
  readonly read: (id: string, field: TextField) => Promise<string>;
  /** Gives the field this text. Rejects with why it may not be. */
  readonly save: (id: string, field: TextField, text: string) => Promise<void>;
}

/**
 * Long texts of queued operations as documents: saving one changes the operation, and a refusal is a save that failed, so
 * nothing that was written is lost.
 */
export class EditDocuments implements FileSystemProvider, Disposable {
  readonly #deps: EditDeps;
  readonly #changed = new EventEmitter<FileChangeEvent[]>();
  /** When this window last saved a document, by path. */
  readonly #saved = new Map<string, number>();
  readonly onDidChangeFile = this.#changed.event;
  // Last, for the editor takes the event at once.
  readonly #registration = workspace.registerFileSystemProvider(SCHEME, this, { isCaseSensitive: true });

  constructor(deps: EditDeps) {
    this.#deps = deps;
  }

  async open(id: string, field: TextField): Promise<void> {
    const name =
      field === "prompt" ? l10n.t("Prompt (save to apply).md") : l10n.t("Message (save to apply).txt");
    const uri = Uri.from({ scheme: SCHEME, path: `/${id}/${field}/${name}` });
    await window.showTextDocument(await workspace.openTextDocument(uri));
  }

  async stat(uri: Uri): Promise<FileStat> {
    const { byteLength } = await this.readFile(uri);
    return { type: FileType.File, ctime: 0, mtime: this.#saved.get(uri.path) ?? 0, size: byteLength };
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    const { id, field } = placeOf(uri);
    try {
      return new TextEncoder().encode(await this.#deps.read(id, field));
    } catch {
      throw FileSystemError.FileNotFound(uri);
    }
  }

  async writeFile(uri: Uri, content: Uint8Array): Promise<void> {
    const { id, field } = placeOf(uri);
    const text = new TextDecoder().decode(content);
    try {
      // A message's last line end is the editor's, not the person's.
      await this.#deps.save(id, field, field === "message" ? text.trimEnd() : text);
    } catch (error) {
      throw FileSystemError.Unavailable(errorText(error, l10n.t));
    }
    this.#saved.set(uri.path, Date.now());
    window.setStatusBarMessage(l10n.t("The queued operation was changed."), 5_000);
  }

  watch(): EditorDisposable {
    return new EditorDisposable(() => undefined);
  }

  readDirectory(): never {
    throw FileSystemError.NoPermissions();
  }

  createDirectory(): never {
    throw FileSystemError.NoPermissions();
  }

  delete(): never {
    throw FileSystemError.NoPermissions();
  }

  rename(): never {
    throw FileSystemError.NoPermissions();
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }
}

function placeOf(uri: Uri): { readonly id: string; readonly field: TextField } {
  const [, id, field] = /^\/([0-9a-f-]{36})\/(message|prompt)\//.exec(uri.path) ?? [];
  if (id === undefined || field === undefined) throw FileSystemError.FileNotFound(uri);
  return { id, field: field === "prompt" ? "prompt" : "message" };
}
