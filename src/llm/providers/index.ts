import type { Clock } from "../../core/ports.ts";
import type { LlmProvider, ProviderName } from "../provider.ts";
import type { LlmSettings } from "../settings.ts";
import { anthropicProvider } from "./anthropic/provider.ts";
import { openaiProvider } from "./openai/provider.ts";

export interface ProvidersDeps {
  readonly settings: () => Pick<LlmSettings, "anthropicBaseUrl" | "openaiBaseUrl">;
  /** Asked before every call. */
  readonly apiKey: (provider: ProviderName) => Promise<string | undefined>;
  readonly clock: Clock;
  /** The global one where left out. */
  readonly fetch?: typeof fetch;
}

/** The providers by name. Their SDKs are loaded with the first call. */
export function createProviders(deps: ProvidersDeps): (name: ProviderName) => LlmProvider {
  const { clock, fetch } = deps;
  const common = fetch === undefined ? { clock } : { clock, fetch };
  const providers: Readonly<Record<ProviderName, LlmProvider>> = {
    anthropic: anthropicProvider({
      ...common,
      apiKey: () => deps.apiKey("anthropic"),
      baseUrl: () => deps.settings().anthropicBaseUrl,
    }),
    openai: openaiProvider({
      ...common,
      apiKey: () => deps.apiKey("openai"),
      baseUrl: () => deps.settings().openaiBaseUrl,
    }),
  };
  return (name) => providers[name];
}
