import type { Translate } from "../l10n.ts";
import { errorText } from "../reason-words.ts";
import { WordedError } from "../worded-error.ts";

/** So many are named in a message. */
const NAMED = 5;

/** How what was left is told. */
export interface Told<Item> {
  readonly name: (item: Item) => Promise<string>;
  readonly t: Translate;
  readonly count: (value: number) => string;
}

/**
 * Does something to each, whatever becomes of the others, one after the other. Rejects once all are tried: with the one
 * error where there was one thing to do, else with how many were done and why the rest was left.
 */
export async function doEach<Item, Answer>(
  items: readonly Item[],
  work: (item: Item) => Promise<Answer>,
  { name, t, count }: Told<Item>,
): Promise<readonly Answer[]> {
  const done: Answer[] = [];
  const left: { readonly item: Item; readonly error: unknown }[] = [];
  for (const item of items) {
    try {
      done.push(await work(item));
    } catch (error) {
      left.push({ item, error });
    }
  }
  const [first] = left;
  if (!first) return done;
  if (items.length === 1) throw first.error;
  const reasons: string[] = [];
  for (const { item, error } of left.slice(0, NAMED)) {
    const reason = errorText(error, t);
    const who = await name(item);
    reasons.push(reason.includes(who) ? reason : `${who}: ${reason}`);
  }
  if (left.length > NAMED) reasons.push(t("and {0} more", count(left.length - NAMED)));
  throw new WordedError(
    "partly-done",
    t(
      "Done: {0} of {1}. The rest was left as it is. {2}",
      count(done.length),
      count(items.length),
      reasons.join(" · "),
    ),
  );
}
