import type { SealLimits } from "../core/journal.ts";
import type { Result } from "../core/result.ts";
import type { LlmRequestInput } from "../core/schema/inputs.ts";

export type ProviderName = "anthropic" | "openai";

/** A request as the provider takes it, made once when it is queued. */
export interface PreparedRequest {
  readonly model: string;
  /** The provider's path of one such request, such as `/v1/messages`. */
  readonly endpoint: string;
  readonly betas: readonly string[];
  /** Goes to the provider as it is. */
  readonly params: Readonly<Record<string, unknown>>;
}

export interface Prepared extends PreparedRequest {
  /** What may go wrong but is not certain to; shown to the person. */
  readonly warnings: readonly string[];
}

export interface StoredParams extends Pick<PreparedRequest, "endpoint" | "params"> {
  /** They were made of a prompt, not of messages. */
  readonly fromPrompt: boolean;
}

/** What `params` of a provider hold of an input. */
export interface Restored {
  readonly prompt?: string;
  readonly messages?: readonly unknown[];
  readonly system?: unknown;
  readonly maxTokens?: number;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** What can be wrong with an account, its key or its address. Each is a hold's reason, which people get told in words. */
export const accountReasons = [
  "no-key",
  "key-unusable",
  "key-refused",
  "address-unusable",
  "redirected",
  "credit",
  "spend-limit",
  "organization-on-hold",
  "encryption-key-disabled",
  "workspace-not-allowed",
  "forbidden",
] as const;
export type AccountReason = (typeof accountReasons)[number];

/**
 * `account`: nothing of this account will work until somebody mends it; `transient`: the same may work later; `too-large`: in smaller
 * parts it may work; `not-found`: not there, not there yet, or not for this key; `refused`: will never work as it is. `reason`: a
 * stable word.
 */
type FailureKind =
  | { readonly kind: "account"; readonly reason: AccountReason }
  | { readonly kind: "transient" | "too-large" | "not-found" | "refused"; readonly reason: string };

/** Why a call did not do what was asked. */
export type Failure = FailureKind & FailureFacts;

interface FailureFacts {
  readonly message: string;
  /** Whether the provider may have done what was asked all the same. */
  readonly acted: "no" | "unknown";
  readonly retryAfterMs?: number;
  /** ISO time from which it may work again. */
  readonly until?: string;
  readonly requestId?: string;
}

export type Answer<Value> =
  { readonly kind: "ok"; readonly value: Value } | { readonly kind: "failed"; readonly failure: Failure };

/** One batch at the provider. Times are milliseconds since 1970, by the provider's clock. */
export interface RemoteBatch {
  readonly id: string;
  readonly status: "running" | "canceling" | "ended";
  readonly createdAt: number;
  readonly endedAt?: number;
  readonly expiresAt?: number;
  /** Results are no longer kept. */
  readonly archived: boolean;
  readonly total: number;
  /** Requests finished so far, where the provider counts them before the end. */
  readonly finished?: number;
  /** Names for `results`; empty while none can be read. */
  readonly outputs: readonly string[];
  /** The batch as a whole failed; `line` counts the requests from 1. */
  readonly errors: readonly { readonly failure: Failure; readonly line?: number }[];
  /** The mark given to `submit`, where the provider keeps one. */
  readonly mark?: string;
}

/** Tokens of one answer, split as far as they are priced differently. */
export interface TokenUsage {
  /** Uncached input only. */
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
  /** Searches of the web, billed one by one. */
  readonly webSearches?: number;
  /** Served in the United States only, at a surcharge. */
  readonly usOnly: boolean;
}

export interface Note {
  readonly reason: "cut" | "refused" | "unfinished";
  readonly message: string;
}

export interface Answered {
  readonly kind: "succeeded";
  readonly text: string;
  /** The provider's own message, unchanged. */
  readonly message: unknown;
  readonly usage: TokenUsage;
  /** The answer is there and billed but may not be what was hoped for. */
  readonly note?: Note;
}

export type ItemOutcome =
  | Answered
  | { readonly kind: "errored"; readonly failure: Failure; readonly message?: unknown }
  | { readonly kind: "cancelled" }
  | { readonly kind: "expired" };

export interface ResultLine {
  readonly customId: string;
  readonly outcome: ItemOutcome;
}

/** What every call takes: a way to stop it and a meter that counts its HTTP requests. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly meter: { httpRequests: number };
}

/** What is to be submitted: a file that holds the body as `writeBody` formed it. */
export interface Submission {
  readonly file: string;
  readonly name: string;
  readonly endpoint: string;
  readonly betas: readonly string[];
  /** Kept by providers that can, so that the batch can be found by it. */
  readonly mark: string;
}

/** A place in a request up to which a provider could cache it. */
export interface CachePoint {
  /** The same for requests that are the same up to there. */
  readonly key: string;
  /** 0: before the messages; n: after their nth block. */
  readonly depth: number;
}

/** How items become a body: `head`, the items parted by `separator`, `tail`. */
export interface BodyFormat {
  readonly head: string;
  readonly separator: string;
  readonly tail: string;
  item(customId: string, request: PreparedRequest): string;
}

/** A provider of language models: what it allows and how to talk to it. Network calls answer with values, never throw. */
export interface LlmProvider {
  readonly name: ProviderName;
  readonly limits: Required<SealLimits>;
  readonly body: BodyFormat;
  /** A batch can be found by its mark; else only by elimination. */
  readonly findsByMark: boolean;
  /** The input as the provider takes it. Throws `InputError` for what it would refuse. `now` decides what is retired. */
  prepare(input: LlmRequestInput, now: number): Prepared;
  /** The fields of an input that parameters of the provider stand for; the reverse of `prepare`, also used for imported lines. */
  restore(request: StoredParams): Restored;
  /** One line of a result file; `undefined` when it is damaged. */
  readLine(line: string): ResultLine | undefined;
  /** A result in the shape of the provider's result files, without its id. */
  exportResult(result: Result): Readonly<Record<string, unknown>>;
  /** Newest first, until `stop` answers true or there are no more. */
  list(stop: (batch: RemoteBatch) => boolean, options: CallOptions): Promise<Answer<readonly RemoteBatch[]>>;
  submit(submission: Submission, options: CallOptions): Promise<Answer<RemoteBatch>>;
  poll(id: string, options: CallOptions): Promise<Answer<RemoteBatch>>;
  results(
    batch: RemoteBatch,
    output: string,
    options: CallOptions,
  ): Promise<Answer<AsyncIterable<Uint8Array>>>;
  cancel(id: string, options: CallOptions): Promise<Answer<RemoteBatch>>;
  /** One request, now. `onText` gets the text as it comes. */
  call(
    request: PreparedRequest,
    options: CallOptions & { readonly onText?: (text: string) => void },
  ): Promise<Answer<ItemOutcome>>;
  /** Where a breakpoint for the provider's cache would be of use, in order; none where the provider caches by itself. */
  cachePoints(request: PreparedRequest): readonly CachePoint[];
  /** The request with breakpoints at these depths; what it asks for stays the same. */
  cached<Request extends PreparedRequest>(
    request: Request,
    ttl: "5m" | "1h",
    depths: readonly number[],
  ): Request;
  /** Whether requests like this one can be answered several in one call. */
  canPack(request: PreparedRequest): boolean;
  /** One request whose answer holds those to several that differ in nothing but their prompts. */
  packed(requests: readonly PreparedRequest[]): PreparedRequest;
  /** Input tokens of one request, `undefined` where the provider does not count them. */
  countTokens(request: PreparedRequest, options: CallOptions): Promise<Answer<number | undefined>>;
}
