import {
  EventEmitter,
  FileChangeType,
  FilePermission,
  FileSystemError,
  FileType,
  l10n,
  Uri,
  workspace,
} from "vscode";
import type { Disposable, FileChangeEvent, FileStat, FileSystemProvider } from "vscode";
import { FlatFiles } from "./flat-files.ts";
import { errorText } from "./reason-words.ts";
import { SCHEME } from "./scheme.ts";

/** Gives the text of a document by its address, or nothing where it is not one of its own. Rejects with why there is none. */
export type TextSource = (address: Pick<Uri, "path" | "query">) => Promise<string> | string | undefined;

/** Tells the encoding, whatever `files.encoding` says; it is no part of the text in the editor. */
const BYTE_ORDER_MARK = "\uFEFF";

/**
 * Read-only documents of one scheme. They are files to the editor and not its virtual documents, for only of a file system
 * it asks this extension when it opens a window again with a tab of one.
 */
export class VirtualDocuments extends FlatFiles implements FileSystemProvider, Disposable {
  readonly #scheme: string;
  readonly #sources: readonly TextSource[];
  readonly #shown = new Map<string, string>();
  /** When a document was last said to read otherwise, by path. */
  readonly #times = new Map<string, number>();
  /** A document that a window had open before it began anew is read again. */
  readonly #begun = Date.now();
  readonly #changed = new EventEmitter<FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changed.event;
  readonly #registration: Disposable;

  constructor(sources: readonly TextSource[], scheme = SCHEME) {
    super();
    this.#sources = sources;
    this.#scheme = scheme;
    // Last, for the editor takes the event at once.
    this.#registration = workspace.registerFileSystemProvider(scheme, this, {
      isCaseSensitive: true,
      isReadonly: true,
    });
  }

  /** A document with this text, until another one takes its path. */
  show(path: string, text: string): Uri {
    this.#shown.set(this.#uri(path).path, text);
    return this.changed(path);
  }

  /** What the sources give for a path is another text by now. */
  changed(path: string): Uri {
    const uri = this.#uri(path);
    // Never the same twice, or the editor takes it for unchanged.
    this.#times.set(uri.path, Math.max(Date.now(), (this.#times.get(uri.path) ?? 0) + 1));
    this.#changed.fire([{ type: FileChangeType.Changed, uri }]);
    return uri;
  }

  stat(uri: Uri): FileStat {
    return {
      type: FileType.File,
      permissions: FilePermission.Readonly,
      ctime: 0,
      mtime: this.#times.get(uri.path) ?? this.#begun,
      // Not known before it is read; the editor takes what it gets.
      size: 0,
    };
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    try {
      return Buffer.from(BYTE_ORDER_MARK + (await this.#text(uri)));
    } catch (error) {
      throw FileSystemError.Unavailable(errorText(error, l10n.t));
    }
  }

  writeFile(): never {
    throw FileSystemError.NoPermissions();
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }

  #uri(path: string): Uri {
    return Uri.from({ scheme: this.#scheme, path });
  }

  async #text(uri: Uri): Promise<string> {
    const shown = uri.query === "" ? this.#shown.get(uri.path) : undefined;
    if (shown !== undefined) return shown;
    for (const source of this.#sources) {
      const text = await source(uri);
      if (text !== undefined) return text;
    }
    return l10n.t("This was shown before the window was opened again. Run its command once more to see it.");
  }
}
