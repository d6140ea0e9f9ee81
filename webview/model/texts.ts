import { usdText } from "../../src/protocol.ts";
import type { TextKey } from "../../src/protocol.ts";

/** Words and numbers in the reader's language. `strings` are the host's templates with `{name}` places. */
export class Texts {
  readonly #strings: Readonly<Record<string, string>>;
  readonly #locale: string;
  readonly #plural: Intl.PluralRules;
  readonly #list: Intl.ListFormat;
  /** By unit; to make one takes longer than to draw a row. */
  readonly #units = new Map<string, Intl.NumberFormat>();
  readonly #number: Intl.NumberFormat;
  readonly #compact: Intl.NumberFormat;
  readonly #usd: (usd: number) => string;
  readonly #time: Intl.DateTimeFormat;
  readonly #dayTime: Intl.DateTimeFormat;
  readonly #dateTime: Intl.DateTimeFormat;

  constructor(strings: Readonly<Record<string, string>>, locale: string) {
    this.#strings = strings;
    this.#locale = Intl.NumberFormat.supportedLocalesOf(locale)[0] ?? "en";
    this.#plural = new Intl.PluralRules(this.#locale);
    this.#list = new Intl.ListFormat(this.#locale, { type: "unit", style: "short" });
    this.#number = new Intl.NumberFormat(this.#locale, { maximumFractionDigits: 1 });
    this.#compact = new Intl.NumberFormat(this.#locale, { notation: "compact", maximumFractionDigits: 1 });
    this.#usd = usdText(this.#locale);
    this.#time = new Intl.DateTimeFormat(this.#locale, { hour: "numeric", minute: "2-digit" });
    const dayTime = { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" } as const;
    this.#dayTime = new Intl.DateTimeFormat(this.#locale, dayTime);
    this.#dateTime = new Intl.DateTimeFormat(this.#locale, { dateStyle: "medium", timeStyle: "short" });
  }

  t(key: TextKey, args: Readonly<Record<string, string | number>> = {}): string {
    return (this.#strings[key] ?? key).replaceAll(/\{(\w+)\}/g, (place, name: string) => {
      const value = args[name];
      if (value === undefined) return place;
      return typeof value === "number" ? this.number(value) : value;
    });
  }

  /** What a hold's reason means; one that has no text stands for itself. */
  holdReason(reason: string): string {
    return this.#strings[`hold.reason.${reason}`] ?? reason;
  }

  /** The form of a counted text that fits `n`; the templates are `key.one` and `key.other`, with `{n}`. */
  count(key: CountedKey, n: number, args: Readonly<Record<string, string | number>> = {}): string {
    const form = this.#plural.select(n) === "one" ? "one" : "other";
    return this.t(`${key}.${form}`, { n, ...args });
  }

  /** Several counted things in a row: 3 commits, 2 pushes. */
  list(parts: readonly string[]): string {
    return this.#list.format(parts);
  }

  number(value: number): string {
    return this.#number.format(value);
  }

  /** Short from ten thousand up: 1.2M. */
  compact(value: number): string {
    return Math.abs(value) < 10_000 ? this.number(value) : this.#compact.format(value);
  }

  /** US dollars; small amounts keep two significant digits, so that a tenth of a cent is not shown as nothing. */
  money(usd: number): string {
    return this.#usd(usd);
  }

  dateTime(iso: string): string {
    return this.#dateTime.format(new Date(iso));
  }

  /** As much of the date as tells it from `now` (milliseconds since 1970): the time alone on the same day. */
  when(iso: string, now: number): string {
    const [then, today] = [new Date(iso), new Date(now)];
    if (then.toDateString() === today.toDateString()) return this.#time.format(then);
    return (then.getFullYear() === today.getFullYear() ? this.#dayTime : this.#dateTime).format(then);
  }

  duration(ms: number): string {
    const seconds = Math.max(0, ms) / 1000;
    if (seconds < 60)
      return this.#unit(seconds < 10 ? Math.round(seconds * 10) / 10 : Math.round(seconds), "second");
    if (seconds < 3600) return this.#unit(Math.round(seconds / 60), "minute");
    if (seconds < 86_400) return this.#unit(Math.round(seconds / 360) / 10, "hour");
    return this.#unit(Math.round(seconds / 8640) / 10, "day");
  }

  #unit(value: number, unit: string): string {
    const style = { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: 1 } as const;
    const format = this.#units.get(unit) ?? new Intl.NumberFormat(this.#locale, style);
    this.#units.set(unit, format);
    return format.format(value);
  }
}

type CountedKey = TextKey extends infer Key ? (Key extends `${infer Base}.one` ? Base : never) : never;
