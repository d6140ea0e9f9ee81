import { isRecord } from "../prepare.ts";
import type { Failure } from "../provider.ts";

/** Codes of errors that come before anything was sent, so that nothing can have happened at the other end. */
const beforeSending =
  /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_INVALID_URL|ERR_TLS_\w+|CERT_\w+|\w*CERT\w*|UNABLE_TO_\w+)$/u;
/** The same from Chromium's network stack, which an editor may put behind `fetch`. */
const chromiumBeforeSending =
  /net::ERR_(CONNECTION_REFUSED|NAME_NOT_RESOLVED|INTERNET_DISCONNECTED|ADDRESS_UNREACHABLE|CERT_\w+)/u;
/** What `fetch` says of a request that it does not take. */
const unfit =
  /^bad port$|^unknown scheme$|invalid header|invalid (?:URL|HTTP header)|ByteString|Failed to parse URL/iu;

/** What both SDKs' errors have in common. */
export interface ApiErrorLike {
  readonly status: number | undefined;
  readonly headers: Headers | undefined;
  readonly type: string | undefined;
  readonly code: string | undefined;
  readonly message: string;
  readonly requestId: string | undefined;
}

/** An answer with a status that names no cause of its own. */
export function statusFailure(error: ApiErrorLike): Failure {
  const { status = 0 } = error;
  const base = {
    message: error.message,
    ...retryAfter(error.headers),
    ...(error.requestId === undefined ? {} : { requestId: error.requestId }),
  };
  if (status >= 500)
    return {
      ...base,
      kind: "transient",
      reason: status === 529 ? "overloaded" : "server-error",
      acted: "unknown",
    };
  if (status === 429) return { ...base, kind: "transient", reason: "rate-limit", acted: "no" };
  if (status === 408) return { ...base, kind: "transient", reason: "timeout", acted: "unknown" };
  if (status === 409) return { ...base, kind: "transient", reason: "conflict", acted: "no" };
  if (status === 401) return { ...base, kind: "account", reason: "key-refused", acted: "no" };
  if (status === 402) return { ...base, kind: "account", reason: "credit", acted: "no" };
  if (status === 403) return { ...base, kind: "account", reason: "forbidden", acted: "no" };
  if (status === 404) return { ...base, kind: "not-found", reason: "not-found", acted: "no" };
  if (status === 413) return { ...base, kind: "too-large", reason: "request-too-large", acted: "no" };
  if (status >= 300 && status < 400) {
    const to = error.headers?.get("location") ?? "another address";
    return {
      ...base,
      kind: "account",
      reason: "redirected",
      acted: "no",
      message: `The API address answers with a redirect to ${to}, which is not followed with the key; set the final address`,
    };
  }
  return { ...base, kind: "refused", reason: error.type ?? "refused", acted: "no" };
}

/**
 * What went wrong before anything was sent, so that nothing can have happened at the other end. Trouble of the machine may
 * pass; a request that cannot be put together will not.
 */
export function unsent(error: unknown): Failure {
  const [{ code, message } = { code: "", message: String(error) }] = causes(error);
  const unfit = (error instanceof TypeError || error instanceof RangeError) && code === "";
  const kind = unfit ? "refused" : "transient";
  return {
    kind,
    reason: "not-sent",
    message: `Nothing was sent, because the request could not be put together: ${message}`,
    acted: "no",
  };
}

/** No answer at all. */
export function connectionFailure(error: unknown): Failure {
  const chain = causes(error);
  const message = chain
    .map(({ message }) => message)
    .filter((text, index, all) => text !== "" && all.indexOf(text) === index);
  const isUnsent = chain.some(
    ({ code, message }) =>
      beforeSending.test(code) || chromiumBeforeSending.test(message) || unfit.test(message),
  );
  return {
    kind: "transient",
    reason: "no-connection",
    message: message.join(": ") || "No connection",
    acted: isUnsent ? "no" : "unknown",
  };
}

function causes(error: unknown): readonly { readonly code: string; readonly message: string }[] {
  const found = [];
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = "code" in at && typeof at.code === "string" ? at.code : "";
    found.push({ code, message: at.message });
    if (at instanceof AggregateError) at.errors.forEach((inner: unknown) => found.push(...causes(inner)));
  }
  return found;
}

function retryAfter(headers: Headers | undefined): { readonly retryAfterMs?: number } {
  const value = headers?.get("retry-after");
  const seconds = value === null || value === undefined ? Number.NaN : Number(value);
  return Number.isFinite(seconds) && seconds >= 0 ? { retryAfterMs: Math.ceil(seconds * 1000) } : {};
}

/** Reads an SDK's error; `undefined` when it is not one that came with a status. */
export function apiError(error: unknown): ApiErrorLike | undefined {
  if (!(error instanceof Error) || !("status" in error) || typeof error.status !== "number") return undefined;
  const body = "error" in error && isRecord(error.error) ? error.error : {};
  const inner = isRecord(body["error"]) ? body["error"] : body;
  const details = isRecord(inner["details"]) ? inner["details"] : {};
  const text = (value: unknown): string | undefined =>
    typeof value === "string" && value !== "" ? value : undefined;
  return {
    status: error.status,
    headers: "headers" in error && error.headers instanceof Headers ? error.headers : undefined,
    type: text(inner["type"]),
    code: text(details["error_code"]) ?? text(inner["code"]),
    message: text(inner["message"]) ?? error.message,
    requestId: "requestID" in error ? text(error.requestID) : undefined,
  };
}

/** The first moment of the next month, UTC, as ISO time. */
export function nextMonth(now: number): string {
  const date = new Date(now);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)).toISOString();
}

/** The first date in a text, as ISO time. */
export function dateIn(text: string): string | undefined {
  const found = /\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?/u.exec(text.replace(" at ", " "));
  if (found === null) return undefined;
  const iso = found[0].replace(" ", "T");
  const time = Date.parse(iso.length === 10 ? iso : `${iso}Z`);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
