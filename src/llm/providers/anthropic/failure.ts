import type { AccountReason, Failure } from "../../provider.ts";
import type { ApiErrorLike } from "../failure.ts";
import { apiError, connectionFailure, dateIn, nextMonth, statusFailure } from "../failure.ts";

/** Error codes that concern the account, with our word for each. */
const accountCodes: Readonly<Record<string, AccountReason>> = {
  claude_code_key_creator_not_member: "key-refused",
  cmek_key_disabled: "encryption-key-disabled",
  organization_on_hold: "organization-on-hold",
  workspace_human_review_disabled: "workspace-not-allowed",
  enforced_spend_limit_reached: "spend-limit",
  contract_spend_limit_reached: "spend-limit",
  linked_organization_spend_limit_reached: "spend-limit",
  linked_organization_billing_unavailable: "credit",
  sandbox_egress_restricted: "forbidden",
};
const accountTypes: Readonly<Record<string, AccountReason>> = {
  authentication_error: "key-refused",
  billing_error: "credit",
  permission_error: "forbidden",
};

/** What an error of the API means. By code, then by type, then by status. */
export function anthropicFailure(error: unknown, now: number): Failure {
  const known = apiError(error);
  return known === undefined ? connectionFailure(error) : classify(known, now);
}

/** The same for an error inside a batch's results, which has no status. */
export function itemFailure(
  type: string,
  code: string | undefined,
  message: string,
  requestId: string | undefined,
  now: number,
): Failure {
  const failure = classify({ status: undefined, headers: undefined, type, code, message, requestId }, now);
  if (failure.kind === "account") return failure;
  return {
    ...failure,
    kind: type === "invalid_request_error" || type === "not_found_error" ? "refused" : "transient",
    reason: type,
  };
}

function classify(error: ApiErrorLike, now: number): Failure {
  const account =
    error.code === undefined ? accountOf(error) : (accountCodes[error.code] ?? accountOf(error));
  if (account === undefined) return statusFailure(error);
  const until =
    account === "spend-limit"
      ? (dateIn(error.message) ??
        (error.code === "enforced_spend_limit_reached" ? nextMonth(now) : undefined))
      : undefined;
  return {
    kind: "account",
    reason: account,
    message: error.message,
    acted: "no",
    ...(until === undefined ? {} : { until }),
    ...(error.requestId === undefined ? {} : { requestId: error.requestId }),
  };
}

/**
 * Two states of the account come as `invalid_request_error` without a code, so that only their text tells them: an empty
 * balance, and the limit a customer set himself.
 */
function accountOf({ type, message }: ApiErrorLike): AccountReason | undefined {
  if (type !== undefined && Object.hasOwn(accountTypes, type)) return accountTypes[type];
  if (/credit balance is too low/iu.test(message)) return "credit";
  if (/specified API usage limits/iu.test(message)) return "spend-limit";
  return undefined;
}
