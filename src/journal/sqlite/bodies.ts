import { createHash, randomUUID } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  unlinkSync,
  writeFileSync,
  createReadStream,
} from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Body } from "../tables.ts";
import { decodeText, encodeText } from "./text.ts";

/** Longer texts, in UTF-8 bytes, live in files. */
const inlineBytes = 64 * 1024;
/** Files are encoded, hashed and written in slices of so many characters, so that no second copy of the whole is made. */
const slice = 1024 * 1024;
const temporary = ".tmp";
/** A temporary file that is older belongs to a process that died; hours, so that no clock jump makes it a living one's. */
const staleMs = 24 * 60 * 60 * 1000;

/** Large payloads and results: files named after their content, durable before a row names them, never changed. */
export class Bodies {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async place(text: string): Promise<Body> {
    if (text.length * 3 <= inlineBytes || Buffer.byteLength(text) <= inlineBytes)
      return { kind: "inline", text };
    const sha = hashOf(text);
    if (!existsSync(this.#path(sha))) await this.#write(sha, text);
    // Also where the file was there: who renamed it may not have come to this.
    await syncDirectory(this.#directory);
    return { kind: "file", sha, text };
  }

  async load(body: Body): Promise<string> {
    if (body.kind === "inline") return body.text;
    return body.text ?? decodeText(await readAsStream(this.#path(body.sha)));
  }

  /** Inside the transaction that names the file. Sweeping takes a transaction too, so from here the file stays. */
  ensure(sha: string, text: string | undefined): void {
    if (text === undefined || existsSync(this.#path(sha))) return;
    // Swept away after it was placed, which is rare; here nothing may wait, so it is written at once.
    const path = this.#temporaryPath();
    const file = openSync(path, "wx", 0o600);
    try {
      writeFileSync(file, encodeText(text));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(path, this.#path(sha));
  }

  /** The files there are; temporary ones of dead processes are removed on the way. */
  async list(now: number): Promise<readonly string[]> {
    const names = await readdir(this.#directory).catch(() => []);
    for (const name of names.filter((one) => one.endsWith(temporary))) {
      const path = join(this.#directory, name);
      const age = now - ((await stat(path).catch(() => undefined))?.mtimeMs ?? now);
      if (age > staleMs) await rm(path, { force: true });
    }
    return names.filter((name) => !name.endsWith(temporary));
  }

  /** Inside a transaction that has seen that no row names the file. */
  remove(sha: string): void {
    unlinkSync(this.#path(sha));
  }

  async #write(sha: string, text: string): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const path = this.#temporaryPath();
    try {
      const file = await open(path, "wx", 0o600);
      try {
        for (const part of slices(encodeText(text))) await file.writeFile(part);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(path, this.#path(sha));
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  }

  #path(sha: string): string {
    return join(this.#directory, sha);
  }

  #temporaryPath(): string {
    return join(this.#directory, randomUUID() + temporary);
  }
}

function hashOf(text: string): string {
  const hash = createHash("sha256");
  for (const part of slices(encodeText(text))) hash.update(part, "utf8");
  return hash.digest("hex");
}

/** Never cuts a surrogate pair in two. */
function* slices(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    let end = Math.min(text.length, at + slice);
    if (end < text.length && text.charCodeAt(end - 1) >= 0xd800 && text.charCodeAt(end - 1) <= 0xdbff)
      end += 1;
    yield text.slice(at, end);
    at = end;
  }
}

/** Makes a rename durable. Windows cannot open a folder for that and does not need it. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** In pieces, so that the bytes of a large body are never in memory beside its text. */
async function readAsStream(path: string): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of createReadStream(path, { encoding: "utf8" })) pieces.push(piece as string);
  return pieces.join("");
}
