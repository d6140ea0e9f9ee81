import * as v from "valibot";
import { plainText } from "../../git/plain-text.ts";
import { agentError } from "../agent-error.ts";

const optionalText = v.optional(v.string());

/** `status` is a later one where the key was used before. */
export const queuedGit = v.object({ id: v.string(), status: v.string() });
export const queuedRequests = v.object({
  ids: v.tuple([v.string()]),
  /** A window of an earlier version says nothing of them. */
  statuses: v.optional(v.tuple([v.string()])),
});

const operation = v.looseObject({
  id: v.string(),
  kind: v.string(),
  label: v.string(),
  status: v.string(),
  error: optionalText,
  reason: optionalText,
  result: v.optional(
    v.looseObject({
      text: optionalText,
      commit: optionalText,
      refs: v.optional(v.array(v.looseObject({ ref: v.string(), old: v.string(), new: v.string() }))),
    }),
  ),
});
export type AnsweredOperation = v.InferOutput<typeof operation>;
export const operationsAnswer = v.object({
  operations: v.array(operation),
  /** After waiting: sentences about what stops all that are not over, and what mends it. */
  holds: v.optional(v.array(v.string())),
});

export const flushAnswer = v.looseObject({
  batches: v.array(v.looseObject({ id: v.string(), status: v.string(), operationCount: v.number() })),
  outcomes: v.optional(v.record(v.string(), v.string())),
  failed: v.optional(
    v.array(v.looseObject({ id: v.string(), status: v.string(), error: optionalText, reason: optionalText })),
  ),
});

const batch = v.looseObject({ operationCount: v.number(), operations: v.optional(v.array(operation)) });
const side = v.looseObject({
  queued: v.array(operation),
  queuedCount: v.number(),
  executing: v.array(batch),
  pending: v.array(batch),
  /** Newest first. */
  executed: v.optional(v.array(batch)),
});
export type AnsweredSide = v.InferOutput<typeof side>;
export const stateAnswer = v.looseObject({
  paused: v.looseObject({ git: v.boolean(), llm: v.boolean() }),
  holds: v.array(v.looseObject({ kind: v.string(), reason: v.string(), until: optionalText })),
  git: side,
  llm: side,
});

/** A window's answer, as far as it is needed here. Throws where it is something else. */
export function understood<Schema extends v.GenericSchema>(
  schema: Schema,
  answer: unknown,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, answer);
  if (parsed.success) return parsed.output;
  throw agentError(
    "bad-answer",
    `The window's answer is not understood here (${v.getDotPath(parsed.issues[0]) ?? "all"}); reload the window or open a new terminal.`,
  );
}

const unfinished: ReadonlySet<string> = new Set(["queued", "pending", "executing"]);
export const isOver = ({ status }: { readonly status: string }): boolean => !unfinished.has(status);

/** On one line, and with nothing that would change what a terminal shows beside it. */
export const oneLine = (text: string): string => plainText(text).replace(/\s+/g, " ").trim();

/** What came of an operation, for people: an answer as it is, else the new commit or refs. */
export function cameOf({ id, kind, label, status, error, result }: AnsweredOperation): string {
  if (status !== "succeeded") return `${status}  ${kind}  ${id}  ${oneLine(error ?? label)}`;
  if (result?.text !== undefined) return result.text.replace(/\n$/, "");
  const refs = result?.refs?.map((each) => `${each.ref} ${each.new.slice(0, 12)}`) ?? [];
  const made = refs.length > 0 ? refs : [result?.commit?.slice(0, 12) ?? oneLine(label)];
  return `${status}  ${kind}  ${id}  ${made.join(", ")}`;
}

/** Why operations did not all succeed; `undefined` where they did. */
export function failureOf(
  operations: readonly Pick<AnsweredOperation, "id" | "status" | "error" | "reason">[],
): { readonly message: string; readonly reason: string } | undefined {
  const failed = operations.filter(({ status }) => status !== "succeeded");
  const [first] = failed;
  if (!first) return undefined;
  const lines = failed.map(
    ({ id, status, error }) => `${id} ${status}${error === undefined ? "" : `: ${error}`}`,
  );
  return {
    message: lines.join("\n"),
    reason: failed.length === 1 ? (first.reason ?? first.status) : "not-succeeded",
  };
}
