const chat = new Set(
  (
    "gpt-6.2-astra gpt-6-astra gpt-6.2-sol gpt-6.1-sol gpt-6-sol gpt-6.1-terra gpt-6-luna gpt-5.6-sol " +
    "gpt-5.6-terra gpt-5.6-luna gpt-5.5 gpt-5.4 gpt-5 gpt-5-mini gpt-4.1 gpt-4.1-mini gpt-4o gpt-4o-mini"
  ).split(" "),
);
const embedding = new Set("text-embedding-3-small text-embedding-3-large text-embedding-ada-002".split(" "));

export const modelIds: readonly string[] = [...chat, ...embedding];

/** Whether a model may be used at an endpoint. */
export function serves(model: string, endpoint: string): boolean {
  return (endpoint === "/v1/embeddings" ? embedding : chat).has(model);
}

export function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}
