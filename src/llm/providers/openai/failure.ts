import type { AccountReason, Failure } from "../../provider.ts";
import type { ApiErrorLike } from "../failure.ts";
import { apiError, connectionFailure, statusFailure } from "../failure.ts";

/** Error codes and types that concern the account, with our word for each. */
const account: Readonly<Record<string, AccountReason>> = {
  insufficient_quota: "credit",
  billing_hard_limit_reached: "spend-limit",
  billing_not_active: "credit",
  account_deactivated: "organization-on-hold",
  invalid_api_key: "key-refused",
};
/** Codes of batches and of requests that may work later as they are. */
const transient = new Set(["token_limit_exceeded", "rate_limit_exceeded", "server_error", "internal_error"]);

/** What an error of the API means. By code, then by type, then by status. */
export function openaiFailure(error: unknown): Failure {
  const known = apiError(error);
  return known === undefined ? connectionFailure(error) : classify(known);
}

/** The same for an error in a result file or of a whole batch, with or without a status of its own. */
export function innerFailure(
  code: string | undefined,
  type: string | undefined,
  message: string,
  status?: number,
): Failure {
  const failure = classify({ status, headers: undefined, type, code, message, requestId: undefined });
  if (failure.kind === "account") return failure;
  const kind =
    transient.has(code ?? type ?? "") || (status ?? 0) >= 500 || status === 429 ? "transient" : "refused";
  return { kind, reason: code ?? type ?? failure.reason, message, acted: "no" };
}

function classify(error: ApiErrorLike): Failure {
  const word = [error.code, error.type].find((name) => name !== undefined && Object.hasOwn(account, name));
  const reason = word === undefined ? undefined : account[word];
  if (reason === undefined) return statusFailure({ ...error, type: error.code ?? error.type });
  const requestId = error.requestId === undefined ? {} : { requestId: error.requestId };
  return { kind: "account", reason, message: error.message, acted: "no", ...requestId };
}
