import type { Hold } from "../core/snapshot.ts";
import type { Translate } from "./l10n.ts";

/** What stops execution and what mends it, in the reader's language. A reason that is not known here stands for itself. */
export function holdText({ reason, until, lane }: Hold, t: Translate): string {
  const text = `${whose(lane)}${holdReasons(t)[reason] ?? reason}`;
  return until === undefined ? text : t("{0} Until {1}.", text, until);
}

/** Names are the same in every language. */
const providerNames: Readonly<Record<string, string>> = {
  "llm:anthropic": "Anthropic",
  "llm:openai": "OpenAI",
};
const whose = (lane = ""): string => (providerNames[lane] === undefined ? "" : `${providerNames[lane]}: `);

/** Holds that another key may mend. */
export const asksForKey = ({ reason }: Hold): boolean => reason === "no-key" || reason === "key-refused";

/** By reason. */
export function holdReasons(t: Translate): Readonly<Record<string, string>> {
  return {
    untrusted: t("This workspace is not trusted."),
    "no-key": t("No API key is set. Set one, and the requests can be sent."),
    "key-refused": t("The provider refused the API key. Set another one."),
    credit: t("The provider account has no credit left."),
    "spend-limit": t("The provider account has reached its spend limit."),
    "cost-limit": t("The cost limit of the day is reached (batchControl.llm.maxCostPerDay)."),
    "organization-on-hold": t("The provider has put the organization on hold."),
    "encryption-key-disabled": t("The encryption key of the provider account is disabled."),
    "workspace-not-allowed": t("The provider account's workspace does not allow this."),
    forbidden: t("The provider refuses this account access."),
  };
}
