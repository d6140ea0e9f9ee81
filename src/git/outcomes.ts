import type { Settlement } from "../core/journal.ts";
import type { RefChange, Result } from "../core/result.ts";
import { isZero, zeroLike } from "./refs.ts";
import type { Failure } from "./git-error.ts";
import type { GitOperation } from "./payload.ts";
import { plainText } from "./plain-text.ts";

export interface Success {
  readonly commit?: string;
  readonly refs?: readonly RefChange[];
  /** Joins what the operation's detail said already. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

export function succeeded({ operation }: GitOperation, { commit, refs, detail }: Success): Settlement {
  const result: Result = {
    id: operation.id,
    status: "succeeded",
    ...(commit === undefined ? {} : { commit }),
    ...(refs === undefined ? {} : { refs }),
  };
  return detail === undefined ? { result } : { result, detail: joined(operation.detail, detail) };
}

export function failed({ operation }: GitOperation, failure: Failure, success: Success = {}): Settlement {
  const { reason } = failure;
  const error = plainText(failure.error);
  const detail = { ...success.detail, ...failure.detail };
  const result: Result = {
    id: operation.id,
    status: "failed",
    error,
    reason,
    ...(success.commit === undefined ? {} : { commit: success.commit }),
    ...(success.refs === undefined ? {} : { refs: success.refs }),
  };
  return Object.keys(detail).length === 0 ? { result } : { result, detail: joined(operation.detail, detail) };
}

export const cancelled = ({ operation }: GitOperation): Settlement => ({
  result: { id: operation.id, status: "cancelled", reason: "cancelled" },
});

const joined = (old: unknown, more: Readonly<Record<string, unknown>>): unknown =>
  typeof old === "object" && old !== null ? { ...old, ...more } : more;

export const refChange = (ref: string, old: string | undefined, next: string): RefChange => ({
  ref,
  old: old === undefined || isZero(old) ? zeroLike(next) : old,
  new: next,
});

/** The part of a detail that tells of warnings. */
export function warned(...warnings: readonly (string | undefined)[]): { readonly warning?: string } {
  const all = warnings.filter((warning) => warning !== undefined);
  return all.length === 0 ? {} : { warning: all.join("; ") };
}
