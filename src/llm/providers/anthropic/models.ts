/** What a model of Anthropic takes and refuses. Sources: the model pages under https://platform.claude.com/docs/en/models/ . */
export interface ClaudeModel {
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  /** Day from which the provider refuses it, UTC. */
  readonly retired?: string;
  /** `thinking: { type: "enabled", budget_tokens }` is refused. */
  readonly noThinkingBudget?: boolean;
  /** `thinking: { type: "disabled" }` is refused. */
  readonly alwaysThinks?: boolean;
  /** `tool_choice` of `any` or `tool` is refused. */
  readonly noForcedTool?: boolean;
  /** A last message of the assistant is refused. */
  readonly noPrefill?: boolean;
  /** Batches may ask for up to 300,000 output tokens with the beta `output-300k-2026-03-24`. */
  readonly longOutput?: boolean;
  /** Tokens below which a prefix is not cached; left out where the provider has not said. */
  readonly minCacheTokens?: number;
}

export const LONG_OUTPUT_BETA = "output-300k-2026-03-24";
export const LONG_OUTPUT_TOKENS = 300_000;

const million = { contextTokens: 1_000_000, maxOutputTokens: 128_000 };
const small = { contextTokens: 200_000, maxOutputTokens: 64_000 };
const fable = {
  ...million,
  noThinkingBudget: true,
  alwaysThinks: true,
  noPrefill: true,
  minCacheTokens: 2048,
};
const modern = { ...million, noThinkingBudget: true, longOutput: true };
const opus45 = { ...small, retired: "2027-01-22", minCacheTokens: 4096 };
const sonnet45 = { ...small, retired: "2026-11-30", minCacheTokens: 1024 };

const models: Readonly<Record<string, ClaudeModel>> = {
  "claude-fable-5-2": fable,
  "claude-mythos-5-2": fable,
  "claude-fable-5-1": { ...fable, noForcedTool: true },
  "claude-mythos-5-1": fable,
  "claude-fable-5": fable,
  "claude-mythos-5": fable,
  "claude-mythos-preview": { ...million, retired: "2026-06-30" },
  "claude-opus-5-5": { ...modern, alwaysThinks: true },
  "claude-opus-5": modern,
  "claude-opus-4-8": { ...modern, minCacheTokens: 4096 },
  "claude-opus-4-7": { ...modern, minCacheTokens: 4096 },
  "claude-opus-4-6": { ...million, longOutput: true, minCacheTokens: 4096 },
  "claude-opus-4-5": opus45,
  "claude-opus-4-5-20251101": opus45,
  "claude-sonnet-5-5": { ...modern, alwaysThinks: true, noForcedTool: true },
  "claude-sonnet-5": modern,
  "claude-sonnet-4-6": { ...million, longOutput: true, minCacheTokens: 2048 },
  "claude-sonnet-4-5": sonnet45,
  "claude-sonnet-4-5-20250929": sonnet45,
  "claude-haiku-5-5": { ...modern, minCacheTokens: 512 },
  "claude-haiku-4-5": { ...small, minCacheTokens: 4096 },
  "claude-haiku-4-5-20251001": { ...small, minCacheTokens: 4096 },
};

export const claudeModel = (id: string): ClaudeModel | undefined =>
  Object.hasOwn(models, id) ? models[id] : undefined;
