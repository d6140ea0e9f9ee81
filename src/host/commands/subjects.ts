import { isAbsolute } from "node:path";
import * as v from "valibot";
import { parseInput } from "../../core/schema/inputs.ts";
import type { SideName } from "../../core/operation.ts";
import type { WorktreeChoice } from "../parts.ts";
import type { NodeRef } from "../tree/node.ts";
import { worktreeOf } from "../ui/worktree-of.ts";
import type { Subject } from "./caller.ts";

const id = v.pipe(v.string("must be the id of an operation or a batch"), v.uuid("is not an id"));
const idInput = v.strictObject({ id });

export const parseId = (input: unknown): string => parseInput(idInput, input).id;

const refsIn = (subject: Subject): readonly NodeRef[] =>
  subject.kind === "nodes" ? subject.nodes.map(({ ref }) => ref) : [];

/**
 * The operations among the rows that were pointed at, for a range of rows takes in those that hold them, or the one whose
 * details are shown.
 */
export const operationsIn = (subject: Subject): readonly string[] =>
  subject.kind === "operations"
    ? subject.ids
    : refsIn(subject).flatMap((ref) => (ref.kind === "operation" ? [ref.operation] : []));

export const batchesIn = (subject: Subject): readonly string[] =>
  refsIn(subject).flatMap((ref) => (ref.kind === "batch" ? [ref.batch] : []));

/** Where something is queued: worktrees, or groups of requests. */
export const placesIn = (subject: Subject): readonly { readonly side: SideName; readonly place: string }[] =>
  refsIn(subject).flatMap((ref) => (ref.kind === "place" ? [ref] : []));

/** The side of the first row; `undefined` where none was pointed at. */
export const sideIn = (subject: Subject): SideName | undefined => refsIn(subject)[0]?.side;

/** The row of a worktree stands for that, as its row in Source Control does. */
export function asRepository(subject: Subject): Subject {
  const [place] = placesIn(subject);
  return place?.side === "git" && isAbsolute(place.place)
    ? { kind: "repository", root: place.place }
    : subject;
}

/** Files that were pointed at, apart by worktree in the order given; those outside of all go with the first. */
export function byWorktree(subject: Subject, worktrees: readonly WorktreeChoice[]): readonly Subject[] {
  if (subject.kind !== "files") return [subject];
  const within = subject.files.map((file) => ({
    file,
    worktree: worktreeOf({ kind: "files", files: [file] }, worktrees)?.path,
  }));
  const [first] = within.flatMap(({ worktree }) => worktree ?? []);
  const groups = Map.groupBy(within, ({ worktree }) => worktree ?? first);
  return [...groups.values()].map((group) => ({ kind: "files", files: group.map(({ file }) => file) }));
}
