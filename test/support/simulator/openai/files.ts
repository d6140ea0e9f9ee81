import { blocks, slice } from "../body.ts";
import type { Body } from "../body.ts";
import { json } from "../http.ts";
import type { Call, JsonObject, Reply } from "../http.ts";
import { stableToken } from "../random.ts";
import type { World } from "../world.ts";
import { errorReply, invalid, notFound } from "./errors.ts";
import { readForm } from "./multipart.ts";
import { cursorPage } from "./page.ts";

const day = 86_400_000;
const life = 30 * day;
const batchBytes = 200_000_000;
const purposes = ["assistants", "batch", "fine-tune", "vision", "user_data", "evals"];

export interface StoredFile {
  readonly id: string;
  readonly project: string;
  readonly purpose: string;
  readonly filename: string;
  readonly bytes: number;
  /** Milliseconds since 1970, as is `expiresAt`. */
  readonly createdAt: number;
  readonly expiresAt: number;
  /** What was uploaded; a batch's own files have none, their lines are made while they are read. */
  readonly body: Body | undefined;
  readonly content: () => AsyncIterable<string>;
}

/** The files of all projects. */
export class OpenaiFiles {
  /** Oldest first. */
  private readonly all: StoredFile[] = [];
  private readonly removed: Body[] = [];
  private readonly world: World;

  constructor(world: World) {
    this.world = world;
  }

  async upload(call: Call, project: string): Promise<Reply> {
    const form = await readForm(call.body, call.headers["content-type"] ?? "");
    const text = async (name: string): Promise<string | undefined> => {
      const part = form?.find((one) => one.name === name);
      return part === undefined ? undefined : slice(call.body, part.start, part.end).text();
    };
    const purpose = await text("purpose");
    const file = form?.find((part) => part.name === "file");
    if (purpose === undefined) return errorReply(invalid("'purpose' is a required property", "purpose"));
    if (!purposes.includes(purpose))
      return errorReply(invalid(`'${purpose}' is not one of the purposes`, "purpose"));
    if (file === undefined) return errorReply(invalid("'file' is a required property", "file"));
    const filename = file.filename ?? "upload";
    const bytes = file.end - file.start;
    if (purpose === "batch" && !filename.endsWith(".jsonl")) {
      return errorReply(invalid("Invalid file format for Batch API. Must be .jsonl", "file"));
    }
    const most = this.world.batchBytes(batchBytes);
    if (purpose === "batch" && bytes > most) {
      return errorReply(invalid(`File is too large. Maximum size is ${most} bytes.`, "file"));
    }
    const seconds = Number((await text("expires_after[seconds]")) ?? life / 1000);
    const body = slice(call.body, file.start, file.end);
    call.keepBody();
    const stored = this.add(
      { project, purpose, filename, bytes, body, content: () => textOf(body) },
      seconds * 1000,
    );
    return json(view(stored));
  }

  /** Stores a file; `lifetime` in milliseconds. */
  add(file: Omit<StoredFile, "id" | "createdAt" | "expiresAt">, lifetime = life): StoredFile {
    const createdAt = this.world.clock.now();
    const id = `file-${stableToken(`${this.world.seed}:file:${this.world.next()}`, 24)}`;
    const stored = { ...file, id, createdAt, expiresAt: createdAt + lifetime };
    this.all.push(stored);
    return stored;
  }

  /** Undefined when it does not exist, is expired, or belongs to another project. */
  find(id: string, project: string): StoredFile | undefined {
    const now = this.world.clock.now();
    return this.all.find((file) => file.id === id && file.project === project && file.expiresAt > now);
  }

  list(call: Call, project: string): Reply {
    const now = this.world.clock.now();
    const purpose = call.query.get("purpose");
    const files = this.all.filter(
      (file) =>
        file.project === project && file.expiresAt > now && (purpose === null || file.purpose === purpose),
    );
    if (call.query.get("order") !== "asc") files.reverse();
    return cursorPage(call.query, files, { usual: 10_000, most: 10_000 }, view);
  }

  retrieve(id: string, project: string): Reply {
    const file = this.find(id, project);
    return file === undefined ? missing(id) : json(view(file));
  }

  content(id: string, project: string): Reply {
    const file = this.find(id, project);
    if (file === undefined) return missing(id);
    const headers = { "content-type": "application/octet-stream" };
    return { kind: "parts", status: 200, headers, parts: file.content() };
  }

  remove(id: string, project: string): Reply {
    const file = this.find(id, project);
    if (file === undefined) return missing(id);
    this.all.splice(this.all.indexOf(file), 1);
    // A batch's own files are made from its input, whose bytes therefore stay until the simulator closes.
    if (file.body !== undefined) this.removed.push(file.body);
    return json({ id, object: "file", deleted: true });
  }

  async close(): Promise<void> {
    const bodies = this.all.flatMap((file) => file.body ?? []);
    for (const body of [...bodies, ...this.removed]) await body.dispose();
  }
}

function view(file: StoredFile): JsonObject {
  return {
    id: file.id,
    object: "file",
    bytes: file.bytes,
    created_at: Math.floor(file.createdAt / 1000),
    expires_at: Math.floor(file.expiresAt / 1000),
    filename: file.filename,
    purpose: file.purpose,
    status: "processed",
    status_details: null,
  };
}

function missing(id: string): Reply {
  return errorReply(notFound(`No such File object: ${id}`, "id"));
}

async function* textOf(body: Body): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const bytes of blocks(body)) yield decoder.decode(bytes, { stream: true });
}
