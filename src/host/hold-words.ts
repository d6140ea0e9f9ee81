import type { Hold } from "../core/snapshot.ts";
import { limitReasons } from "../llm/index.ts";
import { reasonTexts } from "./reason-words.ts";
import { providerNames, providers } from "./key-variables.ts";
import type { Translate } from "./l10n.ts";

/** What stops execution and what mends it, in the reader's language. A reason that is not known here stands for itself. */
export function holdText({ reason, until, lane }: Hold, t: Translate): string {
  const known = reasonTexts(t);
  const text = `${whose(lane)}${Object.hasOwn(known, reason) ? known[reason] : reason}`;
  return until === undefined ? text : t("{0} Until {1}.", text, localTime(until, t));
}

/** Date and time of an ISO time where the reader is. */
function localTime(iso: string, t: Translate): string {
  const at = Date.parse(iso);
  // BCP 47; a translation gives its own language, for the date stands amid its words.
  const language = t("en");
  const format = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  return Number.isNaN(at) ? iso : format.format(at);
}

const whose = (lane = ""): string => {
  const provider = providers.find((name) => lane === `llm:${name}`);
  return provider === undefined ? "" : `${providerNames[provider]}: `;
};

/** Holds that another key may mend. */
export const asksForKey = ({ reason }: Hold): boolean =>
  reason === "no-key" || reason === "key-unusable" || reason === "key-refused";

/** Holds that a person can lift by agreeing to the cost. */
export const isLimit = ({ reason }: Hold): boolean => limitReasons.some((limit) => limit === reason);
