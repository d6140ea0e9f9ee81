import type { SealLimits } from "../core/journal.ts";
import { providerOfGroup } from "./group.ts";
import type { LlmProvider, ProviderName } from "./provider.ts";

/**
 * How much of a group fits one batch at its provider. The stored bytes of a request are more than its bytes in the body,
 * so the provider's limit on the body can be the limit on what is stored.
 */
export const sealLimits = (
  group: string,
  provider: (name: ProviderName) => Pick<LlmProvider, "limits">,
): Required<SealLimits> => provider(providerOfGroup(group)).limits;
