import { EventEmitter, FileSystemError, FileType, l10n, Uri, window, workspace } from "vscode";
import type { Disposable, FileChangeEvent, FileStat, FileSystemProvider } from "vscode";
import { FlatFiles } from "./flat-files.ts";
import { errorText } from "./reason-words.ts";
import { EditedTexts } from "./edited-texts.ts";
import type { EditedTextDeps, TextPlace } from "./edited-texts.ts";
import type { TextField } from "./ui/edit-flow.ts";

const SCHEME = "batch-control-edit";

/**
 * Long texts of queued operations as documents: saving one changes the operation, and a refusal is a save that failed, so
 * nothing that was written is lost.
 */
export class EditDocuments extends FlatFiles implements FileSystemProvider, Disposable {
  readonly #texts: EditedTexts;
  readonly #changed = new EventEmitter<FileChangeEvent[]>();
  /** A document that a window had open before it began anew is read again. */
  readonly #begun = Date.now();
  /** When this window last saved a document, by path. */
  readonly #saved = new Map<string, number>();
  readonly onDidChangeFile = this.#changed.event;
  // Last, for the editor takes the event at once.
  readonly #registration = workspace.registerFileSystemProvider(SCHEME, this, { isCaseSensitive: true });

  constructor(deps: EditedTextDeps) {
    super();
    this.#texts = new EditedTexts(deps);
  }

  async open(id: string, field: TextField): Promise<void> {
    const name =
      field === "prompt" ? l10n.t("Prompt (save to apply).md") : l10n.t("Message (save to apply).txt");
    const uri = Uri.from({ scheme: SCHEME, path: `/${id}/${field}/${name}` });
    // Whatever `files.encoding` says, which also holds for saving it.
    await window.showTextDocument(await workspace.openTextDocument(uri, { encoding: "utf8" }));
  }

  async stat(uri: Uri): Promise<FileStat> {
    const size = await found(uri, this.#texts.size(placeOf(uri)));
    return { type: FileType.File, ctime: 0, mtime: this.#saved.get(uri.path) ?? this.#begun, size };
  }

  readFile(uri: Uri): Promise<Uint8Array> {
    return found(uri, this.#texts.open(placeOf(uri)));
  }

  async writeFile(uri: Uri, content: Uint8Array): Promise<void> {
    try {
      await this.#texts.save(placeOf(uri), content);
    } catch (error) {
      throw FileSystemError.Unavailable(errorText(error, l10n.t));
    }
    this.#saved.set(uri.path, Date.now());
    window.setStatusBarMessage(l10n.t("The queued operation was changed."), 5_000);
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }
}

const found = <Value>(uri: Uri, value: Promise<Value>): Promise<Value> =>
  value.catch(() => {
    throw FileSystemError.FileNotFound(uri);
  });

function placeOf(uri: Uri): TextPlace {
  const [, id, field] = /^\/([0-9a-f-]{36})\/(message|prompt)\//.exec(uri.path) ?? [];
  if (id === undefined || field === undefined) throw FileSystemError.FileNotFound(uri);
  return { id, field: field === "prompt" ? "prompt" : "message" };
}
