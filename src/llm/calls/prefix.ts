import { depthsOf } from "../batch/cache-plan.ts";
import type { LlmProvider } from "../provider.ts";
import { canonicalJson } from "../text.ts";
import type { Unit } from "./unit.ts";

/** How requests begin alike. `depths`: where breakpoints go; empty where the provider caches by itself or the beginning is too short. */
export interface Shared {
  readonly depths: readonly number[];
}

/** What all of these requests begin with; `undefined` where that is nothing, or only one is to be sent. */
export function sharedBeginning(provider: LlmProvider, requests: Unit): Shared | undefined {
  const [first, ...others] = requests;
  if (first === undefined || others.length === 0) return undefined;
  let common = provider.cachePoints(first.stored);
  for (const { stored } of others) {
    if (common.length === 0) break;
    const keys = new Set(provider.cachePoints(stored).map(({ key }) => key));
    common = common.filter(({ key }) => keys.has(key));
  }
  const depths = depthsOf(common);
  const head = headOf(first.stored.params);
  const sameHead = head !== "{}" && others.every(({ stored }) => headOf(stored.params) === head);
  return depths.length > 0 || sameHead ? { depths } : undefined;
}

/** What comes before the messages, as text. */
function headOf(params: Readonly<Record<string, unknown>>): string {
  const { tools, system, instructions } = params;
  return canonicalJson({ tools, system, instructions });
}
