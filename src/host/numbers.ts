import { lazily } from "../core/lazily.ts";
import { usdText } from "../core/usd.ts";

/** Numbers and money as the reader's language writes them. */
export interface Numbers {
  readonly count: (value: number) => string;
  readonly usd: (value: number) => string;
}

/** `locale`: BCP 47. */
export function numbersIn(locale: string): Numbers {
  const count = lazily(() => new Intl.NumberFormat(locale));
  return { count: (value) => count().format(value), usd: usdText(locale) };
}
