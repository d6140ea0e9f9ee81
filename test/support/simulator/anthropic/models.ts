/** What the validation of a request needs to know about a model. */
export interface Model {
  readonly id: string;
  readonly maxTokens: number;
  /** Limit with the beta `output-300k-2026-03-24`; the plain limit where it does not apply. */
  readonly extendedMaxTokens: number;
  readonly forcedToolsRefused: boolean;
  readonly thinkingAlwaysOn: boolean;
  /** Whether `thinking.budget_tokens` is still taken; newer models think as they see fit. */
  readonly manualThinking: boolean;
  /** Bytes of English text per token. */
  readonly bytesPerToken: number;
  /** Shorter prefixes are silently not cached. */
  readonly minimumCacheTokens: number;
}

const k = 1000;

function model(id: string, other: Partial<Model> = {}): Model {
  const maxTokens = other.maxTokens ?? 128 * k;
  return {
    id,
    extendedMaxTokens: maxTokens,
    forcedToolsRefused: false,
    thinkingAlwaysOn: false,
    manualThinking: false,
    bytesPerToken: 3,
    minimumCacheTokens: 1024,
    ...other,
    maxTokens,
  };
}

const extended = { extendedMaxTokens: 300 * k };
const noForcedTools = { forcedToolsRefused: true, thinkingAlwaysOn: true };
const older = { bytesPerToken: 4, minimumCacheTokens: 4096, manualThinking: true };

const models: readonly Model[] = [
  model("claude-fable-5-2", { minimumCacheTokens: 2048, thinkingAlwaysOn: true }),
  model("claude-mythos-5-2", { minimumCacheTokens: 2048, thinkingAlwaysOn: true }),
  model("claude-fable-5-1", { ...noForcedTools, minimumCacheTokens: 2048 }),
  model("claude-mythos-5-1", { minimumCacheTokens: 2048, thinkingAlwaysOn: true }),
  model("claude-fable-5", { minimumCacheTokens: 2048, thinkingAlwaysOn: true }),
  model("claude-mythos-5", { minimumCacheTokens: 2048, thinkingAlwaysOn: true }),
  model("claude-opus-5-5", { ...extended, thinkingAlwaysOn: true }),
  model("claude-opus-5", extended),
  model("claude-opus-4-8", { ...extended, minimumCacheTokens: 4096 }),
  model("claude-opus-4-7", { ...extended, minimumCacheTokens: 4096 }),
  model("claude-opus-4-6", { ...extended, ...older }),
  model("claude-opus-4-5", { ...older, maxTokens: 64 * k }),
  model("claude-opus-4-5-20251101", { ...older, maxTokens: 64 * k }),
  model("claude-sonnet-5-5", { ...extended, ...noForcedTools }),
  model("claude-sonnet-5", extended),
  model("claude-sonnet-4-6", {
    ...extended,
    bytesPerToken: 4,
    minimumCacheTokens: 2048,
    manualThinking: true,
  }),
  model("claude-haiku-5-5", { ...extended, minimumCacheTokens: 512 }),
  model("claude-haiku-4-5", { ...older, maxTokens: 64 * k }),
  model("claude-haiku-4-5-20251001", { ...older, maxTokens: 64 * k }),
  model("claude-sonnet-4-5", { bytesPerToken: 4, maxTokens: 64 * k, manualThinking: true }),
  model("claude-sonnet-4-5-20250929", { bytesPerToken: 4, maxTokens: 64 * k, manualThinking: true }),
];
const byId = new Map(models.map((one) => [one.id, one]));

/** Days from which on a model is gone, as the SDK's list of deprecated models has them. */
const endOfLife: Readonly<Record<string, number>> = {
  "claude-sonnet-4-5": Date.UTC(2026, 10, 30),
  "claude-sonnet-4-5-20250929": Date.UTC(2026, 10, 30),
  "claude-opus-4-5": Date.UTC(2027, 0, 22),
  "claude-opus-4-5-20251101": Date.UTC(2027, 0, 22),
};

/** Undefined when there is no such model, or no longer. */
export function findModel(id: string, now: number): Model | undefined {
  const end = endOfLife[id];
  return end !== undefined && now >= end ? undefined : byId.get(id);
}

/** All models served at this time. */
export function activeModels(now: number): readonly Model[] {
  return models.filter((one) => findModel(one.id, now) !== undefined);
}
