/** What a model of OpenAI takes, in tokens. */
export interface OpenaiModel {
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
}

/** https://developers.openai.com/api/docs/models (read 2026-11-29) */
const current: OpenaiModel = { contextTokens: 1_050_000, maxOutputTokens: 128_000 };
/** https://developers.openai.com/api/docs/models/gpt-5-mini, through https://www.modelcostwatch.com (read 2026-11-29) */
const gpt5: OpenaiModel = { contextTokens: 400_000, maxOutputTokens: 128_000 };

/** Exact ids only; a model that is not here is limited by the provider alone. */
const models: Readonly<Record<string, OpenaiModel>> = {
  "gpt-6.2-astra": current,
  "gpt-6.2-sol": current,
  "gpt-6.1-sol": current,
  "gpt-6.1-terra": current,
  "gpt-6-astra": current,
  // https://docs.litellm.ai/blog/gpt_6_sol_luna (read 2026-11-29)
  "gpt-6-sol": current,
  "gpt-6-luna": current,
  "gpt-5.6-sol": current,
  "gpt-5.6-terra": current,
  "gpt-5.6-luna": current,
  "gpt-5.5": current,
  "gpt-5.4": current,
  "gpt-5": gpt5,
  "gpt-5-mini": gpt5,
};

export const openaiModel = (id: string): OpenaiModel | undefined =>
  Object.hasOwn(models, id) ? models[id] : undefined;
