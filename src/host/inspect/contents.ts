import { Uri } from "vscode";
import { StateError } from "../../core/errors.ts";
import type { FileVersion } from "../../git/index.ts";
import type { Translate } from "../l10n.ts";
import type { Parts } from "../parts.ts";
import { SCHEME } from "../scheme.ts";

const QUERY = /^operation=([0-9a-f-]{36})&version=(?:(\d{6})-([0-9a-f]{40,64})|none)$/;

/**
 * Read-only documents with files as git has them: `batch-control:/<path>?operation=<id>&version=<mode>-<object>`. The path
 * is the same before and after, or a diff would call it a renaming.
 */
export class FileContents {
  readonly #parts: Pick<Parts, "journal" | "files">;
  readonly #t: Translate;

  constructor(parts: Pick<Parts, "journal" | "files">, t: Translate) {
    this.#parts = parts;
    this.#t = t;
  }

  /** `undefined` version: an empty document, for a file that does not exist there. */
  uri(operation: string, version: FileVersion | undefined, path: string): Uri {
    const which = version === undefined ? "none" : `${version.mode}-${version.oid}`;
    return Uri.from({ scheme: SCHEME, path: `/${path}`, query: `operation=${operation}&version=${which}` });
  }

  /** The text of a document by its address's query, where it is one of these. */
  text(query: string): Promise<string> | undefined {
    const [whole, id, mode, oid] = QUERY.exec(query) ?? [];
    if (whole === undefined || id === undefined) return undefined;
    if (mode === undefined || oid === undefined) return Promise.resolve("");
    return this.#read(id, { mode, oid });
  }

  async #read(id: string, version: FileVersion): Promise<string> {
    const t = this.#t;
    const operation = await this.#parts.journal.operation(id);
    if (!operation) throw new StateError("not-found", t("id: there is no operation {0}.", id));
    const content = await this.#parts.files.content(operation.group, version);
    switch (content.kind) {
      case "text":
        return content.text;
      case "binary":
        return t("This file is no text ({0} bytes).", content.bytes);
      case "large":
        return t("This file is too large to be shown ({0} bytes).", content.bytes);
    }
  }
}
