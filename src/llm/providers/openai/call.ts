import type OpenAI from "openai";
import type { ItemOutcome, PreparedRequest } from "../../provider.ts";
import { readOpenaiBody } from "./results.ts";

/** One request now. Endpoints that can stream do, so that the text comes as it is made. */
export async function callOpenai(
  client: OpenAI,
  request: PreparedRequest,
  signal: { readonly signal?: AbortSignal },
  onText: ((text: string) => void) | undefined,
): Promise<ItemOutcome> {
  const answer = readOpenaiBody(await bodyOf(client, request, signal, onText));
  if (answer === undefined) throw new Error("The API answered with a body of an unknown shape");
  return answer;
}

async function bodyOf(
  client: OpenAI,
  { endpoint, params }: PreparedRequest,
  signal: { readonly signal?: AbortSignal },
  onText: ((text: string) => void) | undefined,
): Promise<unknown> {
  if (endpoint === "/v1/responses") {
    const events = await client.responses.create(
      { ...params, stream: true } as OpenAI.Responses.ResponseCreateParamsStreaming,
      signal,
    );
    for await (const event of events) {
      if (event.type === "response.output_text.delta") onText?.(event.delta);
      if (event.type === "response.completed" || event.type === "response.incomplete") return event.response;
      if (event.type === "response.failed")
        throw new Error(event.response.error?.message ?? "The API failed to answer");
      if (event.type === "error") throw new Error(event.message);
    }
    throw new Error("The stream ended before the answer was complete");
  }
  if (endpoint === "/v1/chat/completions") {
    const streamed = { ...params, stream: true, stream_options: { include_usage: true } };
    const stream = client.chat.completions.stream(
      streamed as unknown as Parameters<typeof client.chat.completions.stream>[0],
      signal,
    );
    if (onText !== undefined) stream.on("content", onText);
    return stream.finalChatCompletion();
  }
  // The base address ends with the version that the endpoint begins with.
  return client.post(endpoint.replace(/^\/v1/u, ""), { body: params, ...signal });
}
