const NEWLINE = 0x0a;

/** One line without its line end. `complete: false`: the last line of a source that did not end with a line end. */
export interface RawLine {
  readonly bytes: Buffer;
  readonly complete: boolean;
}

/**
 * Splits bytes at `\n` only. Readers that split text also do so at U+2028, U+2029 or U+0085, which may stand inside a JSON
 * string; and a character may be cut between two chunks, so lines are decoded only when whole.
 */
export async function* splitLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<RawLine> {
  let rest: Buffer[] = [];
  for await (const chunk of source) {
    const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    for (let end = buffer.indexOf(NEWLINE); end !== -1; end = buffer.indexOf(NEWLINE, start)) {
      const piece = buffer.subarray(start, end);
      yield { bytes: rest.length === 0 ? piece : Buffer.concat([...rest, piece]), complete: true };
      rest = [];
      start = end + 1;
    }
    if (start < buffer.length) rest.push(buffer.subarray(start));
  }
  if (rest.length > 0) yield { bytes: Buffer.concat(rest), complete: false };
}

const CARRIAGE_RETURN = 0x0d;

/** Without a carriage return at the end. */
export const withoutReturn = (bytes: Buffer): Buffer =>
  bytes.at(-1) === CARRIAGE_RETURN ? bytes.subarray(0, -1) : bytes;

const SPACE = 0x20;
/** Nothing but white space. */
export const isBlank = (bytes: Buffer): boolean =>
  bytes.every((byte) => byte === SPACE || (byte >= 0x09 && byte <= CARRIAGE_RETURN));
