import type { Translate } from "./l10n.ts";
import type { TextField } from "./ui/edit-flow.ts";
import { WordedError } from "./worded-error.ts";

/** Which text of which operation. */
export interface TextPlace {
  readonly id: string;
  readonly field: TextField;
}

export interface EditedTextDeps {
  /** The present text of a field of a queued operation. Rejects where there is none. */
  readonly read: (id: string, field: TextField) => Promise<string>;
  /** Gives the field this text. Rejects with why it may not be. */
  readonly save: (id: string, field: TextField, text: string) => Promise<void>;
  readonly t: Translate;
}

/** Texts of queued operations between an editor, which has UTF-8, and the queue. What another window saved is not overwritten. */
export class EditedTexts {
  readonly #deps: EditedTextDeps;
  /** What this window's editor was last given, or last saved. */
  readonly #known = new Map<string, string>();

  constructor(deps: EditedTextDeps) {
    this.#deps = deps;
  }

  /** For an editor to show, which from now on may overwrite it. */
  async open(place: TextPlace): Promise<Uint8Array> {
    const text = await this.#deps.read(place.id, place.field);
    this.#known.set(keyOf(place), text);
    return new TextEncoder().encode(text);
  }

  /** Bytes. */
  async size({ id, field }: TextPlace): Promise<number> {
    return new TextEncoder().encode(await this.#deps.read(id, field)).byteLength;
  }

  /** Rejects, with nothing changed, where the queued text is not the one that the editor was given or saved. */
  async save(place: TextPlace, content: Uint8Array): Promise<void> {
    const { id, field } = place;
    const written = this.#decoded(content);
    // A message's last line end is the editor's, not the person's.
    const text = field === "message" ? written.trimEnd() : written;
    const now = await this.#deps.read(id, field);
    if (now !== this.#known.get(keyOf(place)) && now !== text)
      throw new WordedError(
        "changed",
        this.#deps.t(
          "The queued text was changed elsewhere after it was opened here, so nothing was saved. Copy what you wrote, run File: Revert File to see the text as it is now, and put your change in there.",
        ),
      );
    await this.#deps.save(id, field, text);
    this.#known.set(keyOf(place), text);
  }

  #decoded(content: Uint8Array): string {
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(content);
    } catch {
      throw new WordedError(
        "not-utf8",
        this.#deps.t(
          "The text did not come as UTF-8, so nothing was saved. Choose Save with Encoding and UTF-8.",
        ),
      );
    }
  }
}

const keyOf = ({ id, field }: TextPlace): string => `${id} ${field}`;
