export { exportResults } from "./jsonl/export.ts";
export { readRequests } from "./jsonl/import.ts";
export type { ImportedLine } from "./jsonl/import.ts";
export { LlmBatcher } from "./llm-batcher.ts";
export type { ProviderName } from "./provider.ts";
export { createLlmRoom } from "./room.ts";
export type { LlmRoom } from "./room.ts";
export type { LlmSettings, PriceOverride } from "./settings.ts";
