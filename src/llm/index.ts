export { LlmAcceptor } from "./acceptor.ts";
export type { LlmAcceptorDeps, RequestDetail } from "./acceptor.ts";
export type { LlmDeps } from "./deps.ts";
export { LlmExecutor } from "./executor.ts";
export { sealLimits } from "./limits.ts";
export { createProviders } from "./providers/index.ts";
export type { ProvidersDeps } from "./providers/index.ts";
export type { LlmProvider, ProviderName } from "./provider.ts";
export type { LlmSettings, PriceOverride } from "./settings.ts";
