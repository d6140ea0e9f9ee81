/** How an endpoint names what an input gives. */
export interface Endpoint {
  /** The parameter that takes the prompt or the messages. */
  readonly content: "input" | "messages" | "prompt";
  /** The parameter that takes the system prompt; `message`: as the first message. */
  readonly system?: "instructions" | "message";
  readonly maxTokens?: string;
  readonly leastTokens?: number;
  /** Parameters it takes, from the types of openai 7.59.0; left out where not every one is listed here. */
  readonly known?: ReadonlySet<string>;
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/u));

/** Endpoints of the Batch API: https://developers.openai.com/api/docs/guides/batch */
export const endpoints: Readonly<Record<string, Endpoint>> = {
  "/v1/responses": {
    content: "input",
    system: "instructions",
    maxTokens: "max_output_tokens",
    leastTokens: 16,
    known: words(`access_programs background background_options context_management conversation image include
      max_tool_calls metadata moderation parallel_tool_calls previous_response_id prompt prompt_cache_key
      prompt_cache_options prompt_cache_retention reasoning safety_identifier service_tier store stream stream_options
      temperature text tool_choice tools top_logprobs top_p truncation user`),
  },
  "/v1/chat/completions": {
    content: "messages",
    system: "message",
    maxTokens: "max_completion_tokens",
    known:
      words(`audio frequency_penalty function_call functions logit_bias logprobs max_tokens metadata modalities
      moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_options
      prompt_cache_retention reasoning_effort response_format safety_identifier seed service_tier stop store stream
      stream_options temperature tool_choice tools top_logprobs top_p user verbosity web_search_options`),
  },
  "/v1/embeddings": { content: "input", known: words("dimensions encoding_format user") },
  "/v1/completions": { content: "prompt", maxTokens: "max_tokens" },
  "/v1/moderations": { content: "input" },
  "/v1/images/generations": { content: "prompt" },
  "/v1/images/edits": { content: "prompt" },
  "/v1/videos": { content: "prompt" },
};
