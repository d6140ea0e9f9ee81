import * as v from "valibot";
import type { StoredOperation } from "../core/operation.ts";
import { bytesOf, keyOf, keyOfText, textOf } from "./entries.ts";
import type { Entry, PathKey } from "./entries.ts";

const entry = v.object({ mode: v.string(), oid: v.string() });
const change = v.object({
  path: v.string(),
  /** Base64 of the path, only where it is not UTF-8. */
  bytes: v.optional(v.string()),
  /** `null`: deleted. */
  now: v.nullable(entry),
  /** At the branch tip, or at the path's previous queued commit. `null`: absent. */
  base: v.nullable(entry),
  /** In the worktree's index when queued. */
  index: v.nullable(entry),
  /** The queued commit of this path that this one builds on. */
  after: v.optional(v.string()),
});
const remoteTarget = v.object({
  remote: v.string(),
  /** Value that our own earlier push had recorded when this was queued. */
  pushed: v.optional(v.string()),
});
const common = { worktree: v.string(), commonDir: v.string(), input: v.record(v.string(), v.unknown()) };

const commitPayload = v.object({
  kind: v.literal("commit"),
  ...common,
  branch: v.string(),
  /** Whether the branch had no commit yet when this was queued. Absent: not known. */
  unborn: v.optional(v.boolean()),
  message: v.string(),
  allowEmpty: v.boolean(),
  signoff: v.boolean(),
  changes: v.array(change),
  /** Digest of everything it asked for, also of what an earlier queued commit holds already. */
  content: v.string(),
});
const pushPayload = v.object({
  kind: v.literal("push"),
  ...common,
  ...remoteTarget.entries,
  branch: v.string(),
  /** The remote-tracking value when queued; empty: the branch must not exist there. Absent: no lease. */
  lease: v.optional(v.string()),
  setUpstream: v.boolean(),
  tags: v.array(v.string()),
});
const mergePayload = v.object({
  kind: v.literal("merge"),
  ...common,
  source: v.string(),
  target: v.string(),
  message: v.optional(v.string()),
  mode: v.picklist(["merge", "ff-only", "squash"]),
  push: v.optional(remoteTarget),
});
const payload = v.variant("kind", [commitPayload, pushPayload, mergePayload]);

/** Branches are full ref names. */
export type CommitPayload = v.InferOutput<typeof commitPayload>;
export type PushPayload = v.InferOutput<typeof pushPayload>;
export type MergePayload = v.InferOutput<typeof mergePayload>;
export type GitPayload = v.InferOutput<typeof payload>;
export type PinnedChange = v.InferOutput<typeof change>;

/** An operation with its payload read. */
export type GitOperation<P extends GitPayload = GitPayload> = { readonly operation: StoredOperation } & P;
export type CommitOperation = GitOperation<CommitPayload>;
export type PushOperation = GitOperation<PushPayload>;
export type MergeOperation = GitOperation<MergePayload>;

export const parsePayload = (text: string): GitPayload => v.parse(payload, JSON.parse(text));
export const readOperation = (operation: StoredOperation): GitOperation => ({
  operation,
  ...parsePayload(operation.payload),
});

export const pathOf = ({ path, bytes }: Pick<PinnedChange, "path" | "bytes">): PathKey =>
  bytes === undefined ? keyOfText(path) : keyOf(Buffer.from(bytes, "base64"));

/** The two fields that hold a path in JSON. */
export function pathFields(key: PathKey): Pick<PinnedChange, "path" | "bytes"> {
  const path = textOf(key);
  return keyOfText(path) === key ? { path } : { path, bytes: bytesOf(key).toString("base64") };
}

export const orUndefined = (value: Entry | null): Entry | undefined => value ?? undefined;
