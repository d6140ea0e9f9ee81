import { lazily } from "./lazily.ts";

/**
 * US dollars as a language writes them. Less than ten cents keep two figures, so that a small amount is never shown as
 * nothing. `locale`: BCP 47; English where there is no such language.
 */
export function usdText(locale: string): (usd: number) => string {
  const format = (digits: Intl.NumberFormatOptions): Intl.NumberFormat =>
    new Intl.NumberFormat(Intl.NumberFormat.supportedLocalesOf(locale)[0] ?? "en", {
      style: "currency",
      currency: "USD",
      ...digits,
    });
  const cents = lazily(() => format({ minimumFractionDigits: 2, maximumFractionDigits: 2 }));
  const figures = lazily(() => format({ minimumSignificantDigits: 1, maximumSignificantDigits: 2 }));
  return (usd) => (usd !== 0 && Math.abs(usd) < 0.1 ? figures() : cents()).format(usd);
}
