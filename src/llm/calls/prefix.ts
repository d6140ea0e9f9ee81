import { canonicalJson } from "../text.ts";
import type { Unit } from "./unit.ts";

/** The requests begin alike: same tools and system prompt, which is what a provider caches before the messages. */
export function sharesPrefix(requests: Unit): boolean {
  const [first, ...others] = requests;
  if (first === undefined) return false;
  const prefix = prefixOf(first.stored.params);
  return prefix !== "{}" && others.every(({ stored }) => prefixOf(stored.params) === prefix);
}

/** What comes before the messages, as text. */
export function prefixOf(params: Readonly<Record<string, unknown>>): string {
  const { tools, system, instructions } = params;
  return canonicalJson({ tools, system, instructions });
}
