import { sse } from "../http.ts";
import type { JsonObject } from "../http.ts";

/** The events in which a response is streamed, each with its number. */
export async function* responseEvents(response: JsonObject): AsyncGenerator<string> {
  let sequence = 0;
  const event = (type: string, data: JsonObject): string =>
    sse(type, { type, sequence_number: sequence++, ...data });
  const item = (response["output"] as readonly JsonObject[])[0] ?? {};
  const part = (item["content"] as readonly JsonObject[])[0] ?? {};
  const begun = { ...response, status: "in_progress", output: [], usage: null };
  const place = { item_id: item["id"], output_index: 0, content_index: 0 };
  yield event("response.created", { response: begun });
  yield event("response.in_progress", { response: begun });
  const emptyItem = { ...item, status: "in_progress", content: [] };
  yield event("response.output_item.added", { output_index: 0, item: emptyItem });
  if (part["type"] === "refusal") {
    const refusal = part["refusal"];
    yield event("response.content_part.added", { ...place, part: { ...part, refusal: "" } });
    yield event("response.refusal.delta", { ...place, delta: refusal });
    yield event("response.refusal.done", { ...place, refusal });
  } else {
    const text = String(part["text"]);
    yield event("response.content_part.added", { ...place, part: { ...part, text: "" } });
    for (const delta of await pieces(text)) {
      yield event("response.output_text.delta", { ...place, delta, logprobs: [] });
    }
    yield event("response.output_text.done", { ...place, text, logprobs: [] });
  }
  yield event("response.content_part.done", { ...place, part });
  yield event("response.output_item.done", { output_index: 0, item });
  yield event(response["status"] === "incomplete" ? "response.incomplete" : "response.completed", {
    response,
  });
}

/** The chunks of a streamed chat completion, closed by `[DONE]`. */
export async function* completionChunks(completion: JsonObject, withUsage: boolean): AsyncGenerator<string> {
  const { choices, usage, ...common } = completion;
  const choice = (choices as readonly JsonObject[])[0] ?? {};
  const message = choice["message"] as JsonObject;
  const name = message["content"] === null ? "refusal" : "content";
  const chunk = (delta: JsonObject, finish_reason: unknown = null): string =>
    sse(undefined, {
      ...common,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      ...(withUsage ? { usage: null } : {}),
    });
  yield chunk({ role: "assistant", [name]: "" });
  for (const text of await pieces(String(message[name]))) yield chunk({ [name]: text });
  yield chunk({}, choice["finish_reason"]);
  if (withUsage) yield sse(undefined, { ...common, object: "chat.completion.chunk", choices: [], usage });
  yield sse(undefined, "[DONE]");
}

/** The text in bits of a few words; waits a turn first, so that the beginning leaves before the rest. */
async function pieces(text: string): Promise<readonly string[]> {
  await new Promise((resolve) => setImmediate(resolve));
  return text.match(/.{1,24}/gsu) ?? [];
}
