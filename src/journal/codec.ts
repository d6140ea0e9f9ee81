import { JournalError } from "../core/errors.ts";
import type { Body } from "./tables.ts";

/**
 * Changes payloads and results on their way into the store and back: to compress, encrypt or redact them. It sees nothing
 * else of an operation, neither labels, details and errors nor the plans of effects.
 */
export interface Codec {
  /** Kept with every text that it made. Another format, or another key, needs another name. */
  readonly name: string;
  encode(text: string): Promise<string>;
  /** Gets what `encode` answered. */
  decode(stored: string): Promise<string>;
}

/** The schema since which a row says what encoded its text; older readers would take that for the text itself. */
export const codecSchema = 2;

/** A text as the codec stores it. */
export const encoded = (codec: Codec, text: string): Promise<string> =>
  attempted(() => codec.encode(text), `A text could not be encoded with "${codec.name}".`);

/** The text that was given once. A body without a codec's name was stored as it was given, whatever is used now. */
export async function decoded(codec: Codec | undefined, body: Body, stored: string): Promise<string> {
  if (body.codec === undefined) return stored;
  if (codec?.name === body.codec)
    return attempted(() => codec.decode(stored), `A text could not be decoded with "${body.codec}".`);
  throw new JournalError(
    "unavailable",
    `A text was stored with the codec "${body.codec}" and cannot be read without it.`,
  );
}

/** The store's trouble, not the operation's: who meets it tries again later instead of failing what it works on. */
async function attempted(work: () => Promise<string>, message: string): Promise<string> {
  try {
    return await work();
  } catch (error) {
    throw new JournalError("unavailable", message, { cause: error });
  }
}
