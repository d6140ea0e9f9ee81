import { json, keyOf } from "../http.ts";
import type { Call, Reply } from "../http.ts";
import type { World } from "../world.ts";
import { OpenaiBatches } from "./batches.ts";
import { errorReply, invalid, notFound } from "./errors.ts";
import { OpenaiFiles } from "./files.ts";
import { modelIds } from "./models.ts";
import { isEndpoint } from "./params.ts";
import { answerCall } from "./single.ts";

const fileBytes = 512_000_000;
const callBytes = 64_000_000;

/** The OpenAI side of the simulator. */
export class OpenaiApi {
  readonly batches: OpenaiBatches;
  private readonly files: OpenaiFiles;
  private readonly world: World;

  constructor(world: World) {
    this.world = world;
    this.files = new OpenaiFiles(world);
    this.batches = new OpenaiBatches(world, this.files);
  }

  /** How long the body of a request may be. */
  limit(path: string): number {
    return path === "/v1/files" ? fileBytes : callBytes;
  }

  tooLarge(): Reply {
    return errorReply({ ...invalid("The request is too large."), status: 413 });
  }

  async handle(call: Call): Promise<Reply> {
    const reply = await this.route(call);
    return {
      ...reply,
      headers: { "x-request-id": call.requestId, "openai-version": "2020-10-01", ...reply.headers },
    };
  }

  async close(): Promise<void> {
    await this.batches.close();
    await this.files.close();
  }

  private async route(call: Call): Promise<Reply> {
    const key = keyOf(call.headers);
    if (key === undefined) {
      return errorReply({ ...invalid("You didn't provide an API key."), status: 401 });
    }
    const project = this.world.workspaceOf(key);
    if (project === undefined) {
      return errorReply({ ...invalid("Incorrect API key provided.", null, "invalid_api_key"), status: 401 });
    }
    if (call.method === "POST" && isEndpoint(call.path)) return answerCall(call, call.path, this.world);
    const [, , resource, id, action] = call.path.split("/").map(decodeURIComponent);
    switch (
      `${call.method} ${resource ?? ""}${id === undefined ? "" : "/id"}${action === undefined ? "" : `/${action}`}`
    ) {
      case "GET models":
        return json({ object: "list", data: modelIds.map(modelView) });
      case "POST files":
        return this.files.upload(call, project);
      case "GET files":
        return this.files.list(call, project);
      case "GET files/id":
        return this.files.retrieve(id ?? "", project);
      case "GET files/id/content":
        return this.files.content(id ?? "", project);
      case "DELETE files/id":
        return this.files.remove(id ?? "", project);
      case "POST batches":
        return this.batches.create(call, project);
      case "GET batches":
        return this.batches.list(call, project);
      case "GET batches/id":
        return this.batches.retrieve(id ?? "", project);
      case "POST batches/id/cancel":
        return this.batches.cancel(id ?? "", project);
      default:
        return errorReply(notFound(`Invalid URL (${call.method} ${call.path})`));
    }
  }
}

function modelView(id: string): unknown {
  return { id, object: "model", created: 1_767_225_600, owned_by: "openai" };
}
