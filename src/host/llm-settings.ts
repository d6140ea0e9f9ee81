import type { LlmSettings, PriceOverride } from "../llm/index.ts";
import type { Settings } from "./settings.ts";

/** The settings as the LLM room reads them. */
export function llmSettings(settings: Settings): LlmSettings {
  const values = settings.llm();
  return {
    provider: values.provider === "openai" ? "openai" : "anthropic",
    anthropicBaseUrl: values["anthropic.baseUrl"],
    openaiBaseUrl: values["openai.baseUrl"],
    pollInterval: values.pollInterval,
    unknownOutcomeWait: values.unknownOutcomeWait,
    maxCostPerFlush: values.maxCostPerFlush,
    maxCostPerDay: values.maxCostPerDay,
    prices: Object.fromEntries(
      Object.entries(values.prices).filter((entry): entry is [string, PriceOverride] => isPrice(entry[1])),
    ),
    packing: values.packing,
  };
}

const isPrice = (value: unknown): value is PriceOverride =>
  typeof value === "object" &&
  value !== null &&
  "input" in value &&
  "output" in value &&
  typeof value.input === "number" &&
  typeof value.output === "number";
