import type { OperationQuery, SealLimits } from "../core/journal.ts";
import type { Operation, SideName, StoredOperation } from "../core/operation.ts";
import { sideOf } from "../core/operation.ts";
import { badPriceText } from "../llm/index.ts";
import type { Hold } from "../core/snapshot.ts";
import type { CostPreview } from "../llm/index.ts";
import { providerNames } from "./key-variables.ts";
import type { Parts } from "./parts.ts";

const PAGE = 500;

/** What flushing would do, as data. Nothing is changed by finding out. */
export interface FlushPlan {
  readonly git: Awaited<ReturnType<Parts["preview"]["git"]>>;
  readonly llm: LlmPlan;
  readonly warnings: readonly string[];
  /** What keeps some of it from being executed. */
  readonly holds: readonly Hold[];
}

export interface LlmPlan {
  readonly requests: number;
  readonly groups: readonly { readonly group: string; readonly requests: number; readonly calls: number }[];
  /** Calls that create batches, and calls of requests that do not wait for one; at most. */
  readonly apiCalls: number;
  /** US dollars for the input alone, as far as prices are known. */
  readonly leastUsd: number;
  /** US dollars if every answer is as long as it may be. */
  readonly estimatedCostUsd: number;
  /** Requests of unknown price, which are in neither figure. */
  readonly unpriced: number;
  /** How the tokens were found. */
  readonly basis: CostPreview["basis"];
  /** Prices in the settings for models of these requests that cannot be used. */
  readonly badPrices: NonNullable<CostPreview["badPrices"]>;
}

type PlanParts = Pick<Parts, "journal" | "preview"> & { readonly state: Pick<Parts["state"], "current"> };

/** Whether a flush of these requests needs consent: they may cost more than the limit (US dollars; 0: none), or nobody knows what. */
export const isOverLimit = (plan: Pick<LlmPlan, "estimatedCostUsd" | "unpriced">, limit: number): boolean =>
  limit > 0 && (plan.estimatedCostUsd > limit || plan.unpriced > 0);

export async function planFlush(parts: PlanParts, sides: readonly SideName[]): Promise<FlushPlan> {
  const queued = await queuedOperations(parts.journal);
  const of = (side: SideName): StoredOperation[] =>
    sides.includes(side) ? queued.filter(({ kind }) => sideOf(kind) === side) : [];
  const git = await parts.preview.git(of("git"));
  const llm = await planLlm(parts, of("llm"));
  const warnings = [
    ...git.flatMap(({ warnings: own }) => own),
    ...(await keyWarnings(parts, llm)),
    ...llm.badPrices.map(badPriceText),
  ];
  const holds = parts.state.current().holds.filter(({ kind }) => sides.includes(kind));
  return { git, llm, warnings, holds };
}

async function keyWarnings(
  { preview }: Pick<Parts, "preview">,
  { groups }: LlmPlan,
): Promise<readonly string[]> {
  const missing = await Promise.all(groups.map(({ group }) => preview.providerWithoutKey(group)));
  return [...new Set(missing.filter((name) => name !== undefined))].map(
    (name) =>
      `No API key is set for ${providerNames[name]}, so its requests would wait. Set one with Batch Control: Set API Key.`,
  );
}

export async function planLlm(
  { preview }: Pick<Parts, "preview">,
  queued: readonly StoredOperation[],
): Promise<LlmPlan> {
  const groups = [...Map.groupBy(queued, ({ group }) => group)].map(([group, own]) => ({
    group,
    requests: own.length,
    calls: /[?&]urgency=/.test(group) ? own.length : batchesOf(own, preview.limits(group)),
  }));
  const { requests, leastUsd, mostUsd, unpriced, basis, badPrices = [] } = await preview.cost(queued);
  const apiCalls = groups.reduce((sum, { calls }) => sum + calls, 0);
  return { requests, groups, apiCalls, leastUsd, estimatedCostUsd: mostUsd, unpriced, basis, badPrices };
}

/** How many batches a queue is sealed into. */
function batchesOf(
  operations: readonly StoredOperation[],
  { maxCount = Infinity, maxBytes = Infinity }: SealLimits,
): number {
  let [batches, count, bytes] = [0, Infinity, 0];
  for (const operation of operations) {
    if (count + 1 > maxCount || bytes + operation.bytes > maxBytes)
      [batches, count, bytes] = [batches + 1, 0, 0];
    count += 1;
    bytes += operation.bytes;
  }
  return batches;
}

/** All that is queued, with payloads, in the order in which it would run. */
export async function queuedOperations(journal: OperationsOf): Promise<readonly StoredOperation[]> {
  return operationsWith(journal, { status: "queued" });
}

type OperationsOf = Pick<Parts["journal"], "operations" | "operation">;

/** All that fit, with payloads, in the order in which they would run. */
export async function operationsWith(
  journal: OperationsOf,
  which: Pick<OperationQuery, "status" | "batch">,
): Promise<readonly StoredOperation[]> {
  const all: Operation[] = [];
  for (let after: string | undefined; ;) {
    const page: readonly Operation[] = await journal.operations({
      ...which,
      limit: PAGE,
      ...(after ? { after } : {}),
    });
    all.push(...page);
    after = page.at(-1)?.id;
    if (page.length < PAGE) break;
  }
  all.sort((one, other) => one.position - other.position);
  const stored = await Promise.all(all.map(({ id }) => journal.operation(id)));
  return stored.filter((operation) => operation !== undefined);
}
