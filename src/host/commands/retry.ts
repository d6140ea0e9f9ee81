import type { StoredOperation } from "../../core/operation.ts";
import { payloadsOf } from "../../core/payloads-of.ts";
import type { BranchGate } from "../branch-gate.ts";
import type { Parts } from "../parts.ts";
import type { Caller } from "./command.ts";
import { doEach } from "./each.ts";
import type { Told } from "./each.ts";
import { asked } from "./asked.ts";
import type { OfOperation } from "./of-operation.ts";

/** What is said once so many operations are in the queue again. */
export const queuedAgain = (many: number, { t, count }: Pick<Told<string>, "t" | "count">): string =>
  t("Queued again: {0}", count(many));

/** Retries what did not succeed of these batches; answers the new operations' ids. */
export type RetryBatches = (batches: readonly string[], caller: Caller) => Promise<readonly string[]>;

export const batchRetrier =
  (
    journal: Pick<Parts["journal"], "batch" | "payloads">,
    ofBatch: OfOperation,
    branches: Pick<BranchGate, "passAgain">,
    told: Told<string>,
    hint: (message: string) => void,
  ): RetryBatches =>
  async (batches, caller) => {
    /** Those that may concern a branch. */
    const unsuccessful: StoredOperation[] = [];
    for (const batch of batches) {
      if ((await journal.batch(batch))?.side !== "git") continue;
      for await (const page of payloadsOf(journal, batch))
        unsuccessful.push(...page.filter(({ status }) => status !== "succeeded"));
    }
    await branches.passAgain(unsuccessful, caller);
    const retried = await doEach(
      batches,
      async (batch) => (await ofBatch(batch)).retryBatch(batch, asked(caller).source),
      told,
    );
    const ids = retried.flatMap((batch) => batch.ids);
    if (caller === "person") hint(queuedAgain(ids.length, told));
    return ids;
  };
