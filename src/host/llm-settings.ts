import type { Logger } from "../core/ports.ts";
import { badPrices, badPriceText } from "../llm/index.ts";
import type { LlmSettings } from "../llm/index.ts";
import type { Settings } from "./settings.ts";

/** The settings as the LLM room reads them. */
export function llmSettings(settings: Pick<Settings, "llm">): LlmSettings {
  const values = settings.llm();
  return {
    provider: values.provider === "openai" ? "openai" : "anthropic",
    anthropicBaseUrl: values["anthropic.baseUrl"],
    openaiBaseUrl: values["openai.baseUrl"],
    pollInterval: values.pollInterval,
    unknownOutcomeWait: values.unknownOutcomeWait,
    maxCostPerFlush: values.maxCostPerFlush,
    maxCostPerDay: values.maxCostPerDay,
    prices: values.prices,
    packing: values.packing,
  };
}

/** Writes to the log what is wrong with prices in the settings, each thing once. */
export function priceWarnings(
  settings: () => Pick<LlmSettings, "prices">,
  log: Pick<Logger, "warn">,
): () => void {
  const told = new Set<string>();
  return () => {
    for (const text of badPrices(settings().prices).map(badPriceText)) {
      if (!told.has(text)) log.warn(text);
      told.add(text);
    }
  };
}
