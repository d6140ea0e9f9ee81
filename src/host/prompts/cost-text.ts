import type { CostPreview } from "../../llm/index.ts";
import type { Translate } from "../l10n.ts";

/** How tokens were found. */
export const basisText = (basis: CostPreview["basis"], t: Translate): string =>
  basis === "counted by the provider"
    ? t("counted by the provider")
    : t("estimated from the length of the text");

/** What requests may take and cost, as a line that says where the figures come from. */
export function costText(
  { tokens, leastUsd, mostUsd, unpriced, requests, basis }: CostPreview,
  locale: string,
  t: Translate,
): string {
  const count = new Intl.NumberFormat(locale);
  const money = new Intl.NumberFormat(locale, {
    style: "currency",
    currency: "USD",
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    minimumSignificantDigits: 2,
    maximumSignificantDigits: 2,
    // Cents, and for less than ten of them two figures.
    roundingPriority: "morePrecision",
  });
  const usd = (value: number): string => money.format(value);
  const amount = t(
    "about {0} tokens in, at most {1} out",
    count.format(tokens.input),
    count.format(tokens.output),
  );
  const cost =
    unpriced === requests
      ? t("price unknown")
      : unpriced > 0
        ? t("{0} to {1}, and {2} of unknown price", usd(leastUsd), usd(mostUsd), unpriced)
        : t("{0} to {1}", usd(leastUsd), usd(mostUsd));
  return `${amount} · ${cost} · ${basisText(basis, t)}`;
}
