import type { AccountReason, LimitReason } from "../llm/index.ts";
import type { Translate } from "./l10n.ts";

/** Every reason that a hold can have; where no window may execute a lane, the hold's reason is the sentence that says so. */
type HoldReason = AccountReason | LimitReason | "untrusted";

/** What holds mean and what mends them, by reason; a reason without words does not compile. */
export function holdReasons(t: Translate): Readonly<Record<HoldReason, string>> {
  return {
    untrusted: t("This workspace is not trusted."),
    "no-key": t("No API key is set. Set one, and the requests can be sent."),
    "key-unusable": t(
      "The API key holds a character that no key has, such as a line break, so nothing was sent. Set it again.",
    ),
    "key-refused": t("The provider refused the API key. Set another one."),
    "address-unusable": t(
      "The API address is not one that begins with http:// or https://, so nothing was sent. Correct batchControl.llm.anthropic.baseUrl or batchControl.llm.openai.baseUrl, then try again.",
    ),
    redirected: t(
      "The API address redirects to another host, to which the key is not sent. Set the final address in batchControl.llm.anthropic.baseUrl or batchControl.llm.openai.baseUrl, then try again.",
    ),
    credit: t("The provider account has no credit left."),
    "spend-limit": t("The provider account has reached its spend limit."),
    "organization-on-hold": t("The provider has put the organization on hold."),
    "encryption-key-disabled": t("The encryption key of the provider account is disabled."),
    "workspace-not-allowed": t("The provider account's workspace does not allow this."),
    forbidden: t("The provider refuses this account access."),
    "flush-cost-limit": t(
      "A batch may cost more than batchControl.llm.maxCostPerFlush allows without asking. Flush by hand to be asked, or raise the limit.",
    ),
    "flush-cost-unknown": t(
      "The price of a batch is not known, so batchControl.llm.maxCostPerFlush does not let it out without asking. Flush by hand to be asked, or give its price in batchControl.llm.prices.",
    ),
    "daily-cost-limit": t(
      "A batch would exceed the cost limit of the day (batchControl.llm.maxCostPerDay). Flush by hand to be asked whether it may go out once all the same, or raise the limit.",
    ),
    "cost-unknown": t(
      "The price of a batch is not known, so the cost limit of the day (batchControl.llm.maxCostPerDay) cannot be kept. Flush by hand to be asked whether it may go out once all the same, or give its price in batchControl.llm.prices.",
    ),
  };
}
