import type { BatchStatus } from "../core/batch.ts";
import type { Clock, Logger, NewId } from "../core/ports.ts";
import type { LlmProvider, ProviderName } from "./provider.ts";
import type { LlmSettings } from "./settings.ts";

/** What executing requests needs from outside. */
export interface LlmDeps {
  /** As they are now. */
  readonly settings: () => LlmSettings;
  readonly provider: (name: ProviderName) => LlmProvider;
  readonly log: Logger;
  readonly clock: Clock;
  readonly newId: NewId;
  /** An existing folder for bodies and results on their way; what is left in it may be deleted at any start. */
  readonly tempDir: string;
  /** Small facts that outlive a window: the journal's. */
  readonly remember: (
    key: string,
    value: string | undefined,
    only?: { readonly was: string | undefined },
  ) => Promise<boolean>;
  readonly recall: (key: string) => Promise<string | undefined>;
  /** `undefined`: there is no such batch any more. */
  readonly batchStatus: (id: string) => Promise<BatchStatus | undefined>;
  /**
   * Gets what has come of an answer until now, each time that more comes, where it is not waited for in a batch. A call that is
   * made again begins anew; `undefined`: no more comes.
   */
  readonly onText?: (operation: string, text: string | undefined) => void;
  /** From 0 to 1; spreads polls of many windows. */
  readonly random?: () => number;
}
