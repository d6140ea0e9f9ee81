import { open, rm } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";

const inMemory = 1_000_000;
const block = 1_048_576;

/** The bytes of a request; those of a big one lie in a file, so that memory stays flat. */
export interface Body {
  readonly bytes: number;
  /** False when the body is in a file and should not be made one string. */
  readonly small: boolean;
  read(start: number, length: number): Promise<Buffer>;
  text(): Promise<string>;
  dispose(): Promise<void>;
}

/**
 * Undefined when the body is longer than `limit`; the rest is then read and dropped.
 * Throws when the client goes away while it sends.
 */
export async function receiveBody(
  request: IncomingMessage,
  limit: number,
  folder: string,
  name: string,
): Promise<Body | undefined> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  let file: FileHandle | undefined;
  const path = join(folder, name);
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > limit) continue;
      chunks.push(chunk);
      if (bytes > inMemory) {
        file ??= await open(path, "w+");
        await file.writev(chunks);
        chunks = [];
      }
    }
  } catch (error) {
    await file?.close();
    throw error;
  }
  const body = file === undefined ? memoryBody(Buffer.concat(chunks)) : fileBody(file, path, bytes);
  if (bytes <= limit) return body;
  await body.dispose();
  return undefined;
}

export function memoryBody(content: Buffer): Body {
  return {
    bytes: content.length,
    small: true,
    read: (start, length) => Promise.resolve(content.subarray(start, start + length)),
    text: () => Promise.resolve(content.toString()),
    dispose: () => Promise.resolve(),
  };
}

function fileBody(file: FileHandle, path: string, bytes: number): Body {
  const read = async (start: number, length: number): Promise<Buffer> => {
    const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(length, bytes - start)));
    await file.read(buffer, 0, buffer.length, start);
    return buffer;
  };
  return {
    bytes,
    small: false,
    read,
    text: async () => (await read(0, bytes)).toString(),
    dispose: async () => {
      await file.close();
      await rm(path, { force: true });
    },
  };
}

/** The part of a body from `start` up to `end` as a body of its own; disposing it disposes the whole. */
export function slice(body: Body, start: number, end: number): Body {
  const bytes = end - start;
  return {
    bytes,
    small: body.small,
    read: (from, length) => body.read(start + from, Math.min(length, bytes - from)),
    text: async () => (await body.read(start, bytes)).toString(),
    dispose: () => body.dispose(),
  };
}

export async function* blocks(body: Body): AsyncGenerator<Buffer> {
  for (let start = 0; start < body.bytes; start += block) yield await body.read(start, block);
}
