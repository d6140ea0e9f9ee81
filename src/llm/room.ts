import type { SealLimits } from "../core/journal.ts";
import { LlmAcceptor } from "./acceptor.ts";
import type { LlmDeps } from "./deps.ts";
import { providerOfGroup } from "./group.ts";
import { LlmExecutor } from "./executor.ts";
import { sealLimits } from "./limits.ts";
import { previewCost } from "./pricing/estimate.ts";
import type { CostPreview } from "./pricing/estimate.ts";
import type { LlmProvider, ProviderName } from "./provider.ts";
import { createProviders } from "./providers/index.ts";
import type { ProvidersDeps } from "./providers/index.ts";

export type LlmRoomDeps = Omit<LlmDeps, "provider"> & ProvidersDeps;

/** Everything the LLM side offers to whoever builds the product. */
export interface LlmRoom {
  readonly provider: (name: ProviderName) => LlmProvider;
  readonly acceptor: LlmAcceptor;
  readonly executor: LlmExecutor;
  sealLimits(group: string): Required<SealLimits>;
  /** The provider of a group for which no API key is set. */
  providerWithoutKey(group: string): Promise<ProviderName | undefined>;
  /**
   * What queued requests may cost. `by`: the tokens of a few are asked of the provider, or nothing leaves the machine and
   * all are estimated from their length.
   */
  previewCost(
    operations: Parameters<typeof previewCost>[0],
    by?: "provider" | "length",
  ): Promise<CostPreview>;
}

export function createLlmRoom(deps: LlmRoomDeps): LlmRoom {
  const provider = createProviders(deps);
  return {
    provider,
    acceptor: new LlmAcceptor({ ...deps, provider }),
    executor: new LlmExecutor({ ...deps, provider }),
    sealLimits: (group) => sealLimits(group, provider),
    providerWithoutKey: async (group) => {
      const name = providerOfGroup(group);
      return (await deps.apiKey(name)) ? undefined : name;
    },
    previewCost: (operations, by = "provider") =>
      previewCost(operations, {
        ...deps,
        ...(by === "provider" ? { provider } : {}),
        now: () => deps.clock.now(),
      }),
  };
}
