import { json, jsonBody } from "../http.ts";
import type { Call, Reply } from "../http.ts";
import { findOutcome } from "../outcome.ts";
import type { World } from "../world.ts";
import { answerBody } from "./answer.ts";
import { errorReply, invalid } from "./errors.ts";
import { checkBody } from "./params.ts";
import type { Endpoint } from "./params.ts";
import { promptText } from "./prompt.ts";
import { completionChunks, responseEvents } from "./stream.ts";

/** Answers one call at once, whole or as a stream. */
export async function answerCall(call: Call, endpoint: Endpoint, world: World): Promise<Reply> {
  const body = await jsonBody(call.body);
  if (body === undefined) return errorReply(invalid("We could not parse the JSON body of your request."));
  const wrong = checkBody(endpoint, body, false);
  if (wrong !== undefined) return errorReply(wrong);
  const forced = findOutcome(world.outcomes, undefined, () => promptText(endpoint, body));
  if (forced?.kind === "errored") {
    return errorReply({ ...invalid(forced.message), type: forced.type, status: forced.status ?? 400 });
  }
  const answer = answerBody(endpoint, body, {
    seed: `${world.seed}:call:${world.next()}`,
    created: Math.floor(world.clock.now() / 1000),
    forced: forced?.kind === "succeeded" ? forced : undefined,
  });
  if (body["stream"] !== true || endpoint === "/v1/embeddings") return json(answer);
  const options = body["stream_options"] as { include_usage?: boolean } | undefined;
  const parts =
    endpoint === "/v1/responses"
      ? responseEvents(answer)
      : completionChunks(answer, options?.include_usage === true);
  return {
    kind: "parts",
    status: 200,
    headers: { "content-type": "text/event-stream; charset=utf-8" },
    parts,
  };
}
