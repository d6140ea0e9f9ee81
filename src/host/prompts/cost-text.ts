import type { CostPreview } from "../../llm/index.ts";
import type { Numbers } from "../numbers.ts";
import type { Translate } from "../l10n.ts";

/** How tokens were found. */
export const basisText = (basis: CostPreview["basis"], t: Translate): string =>
  basis === "counted by the provider"
    ? t("counted by the provider")
    : t("estimated from the length of the text");

/** What requests may take and cost, as a line that says where the figures come from. */
export function costText(
  { tokens, leastUsd, mostUsd, unpriced, requests, basis }: CostPreview,
  { count, usd }: Numbers,
  t: Translate,
): string {
  const amount = t("about {0} tokens in, at most {1} out", count(tokens.input), count(tokens.output));
  const cost =
    unpriced === requests
      ? t("price unknown")
      : unpriced > 0
        ? t("{0} to {1}, and {2} of unknown price", usd(leastUsd), usd(mostUsd), unpriced)
        : t("{0} to {1}", usd(leastUsd), usd(mostUsd));
  return `${amount} · ${cost} · ${basisText(basis, t)}`;
}
