import type { StoredRequest } from "./payload.ts";
import type { ProviderName } from "./provider.ts";

export type Urgency = "batch" | "soon" | "now";

/** The path of a request where the input does not say. */
export const defaultEndpoints: Readonly<Record<ProviderName, string>> = {
  anthropic: "/v1/messages",
  openai: "/v1/responses",
};

/** What may share a batch. What is as usual is left out, so that the common group reads `llm:anthropic/judge/claude-…`. */
export function groupOf({ provider, model, endpoint, betas, rest }: StoredRequest): string {
  const extras = new URLSearchParams();
  if (endpoint !== defaultEndpoints[provider]) extras.set("endpoint", endpoint);
  if (betas.length > 0) extras.set("betas", betas.join(","));
  if (rest.urgency !== undefined && rest.urgency !== "batch") extras.set("urgency", rest.urgency);
  const tail = extras.size === 0 ? "" : `?${extras.toString()}`;
  return `llm:${provider}/${encodeURIComponent(rest.type)}/${encodeURIComponent(model)}${tail}`;
}

export const laneOf = (provider: ProviderName): string => `llm:${provider}`;

export const providerOfGroup = (group: string): ProviderName =>
  group.startsWith("llm:openai/") ? "openai" : "anthropic";

export function urgencyOfGroup(group: string): Urgency {
  const urgency = new URLSearchParams(group.split("?")[1]).get("urgency");
  return urgency === "soon" || urgency === "now" ? urgency : "batch";
}
