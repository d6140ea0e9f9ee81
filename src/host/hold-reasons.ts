import type { Translate } from "./l10n.ts";

/** What holds mean and what mends them, by reason. */
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
