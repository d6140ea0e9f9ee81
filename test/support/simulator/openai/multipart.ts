import type { Body } from "../body.ts";

const block = 1_048_576;

/** One part of a multipart body: where its content lies. */
export interface FormPart {
  readonly name: string;
  readonly filename: string | undefined;
  readonly start: number;
  readonly end: number;
}

/** Finds the parts of a multipart body (RFC 7578) without holding it in memory; undefined when it is none. */
export async function readForm(body: Body, contentType: string): Promise<readonly FormPart[] | undefined> {
  const named = /boundary=(?:"([^"]+)"|([^;]+))/.exec(contentType);
  const boundary = named?.[1] ?? named?.[2];
  if (boundary === undefined || !contentType.startsWith("multipart/form-data")) return undefined;
  const marks = await findAll(body, Buffer.from(`--${boundary}`));
  const parts: FormPart[] = [];
  for (const [index, mark] of marks.slice(0, -1).entries()) {
    const head = (await body.read(mark, 4096)).toString("latin1");
    const headEnd = head.indexOf("\r\n\r\n");
    const next = marks[index + 1];
    const name = /name="([^"]*)"/.exec(head)?.[1];
    if (headEnd < 0 || next === undefined || name === undefined) return undefined;
    const filename = /filename="([^"]*)"/.exec(head.slice(0, headEnd))?.[1];
    parts.push({ name, filename, start: mark + headEnd + 4, end: next - 2 });
  }
  return parts;
}

async function findAll(body: Body, mark: Buffer): Promise<readonly number[]> {
  const found: number[] = [];
  for (let start = 0; start < body.bytes; start += block) {
    // Read over the block's end, so that a mark on the border is seen, by this block alone.
    const bytes = await body.read(start, block + mark.length - 1);
    for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) found.push(start + at);
  }
  return found;
}
