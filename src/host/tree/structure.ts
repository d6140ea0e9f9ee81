import type { SideName } from "../../core/operation.ts";
import type { BatchView, OperationView, Side, Snapshot } from "../../core/snapshot.ts";
import type { GitStats, LlmStats } from "../../core/stats.ts";
import type { NodeRef, Section } from "./node.ts";

/** One half of what the tree shows. */
export interface AnySide extends Side<GitStats | LlmStats> {
  /** Ids of batches in which something failed, and that the reader does not want on top any more. */
  readonly dismissed?: ReadonlySet<string>;
}

/** What stands where in the tree is a function of this alone. */
export interface TreeSnapshot extends Omit<Snapshot, SideName> {
  readonly git: AnySide;
  readonly llm: AnySide;
}

/** The snapshot with what the reader has dismissed. */
export const withDismissed = (snapshot: Snapshot, dismissed: ReadonlySet<string>): TreeSnapshot => ({
  ...snapshot,
  git: { ...snapshot.git, dismissed },
  llm: { ...snapshot.llm, dismissed },
});

const sideNames: readonly SideName[] = ["git", "llm"];
/** What needs a person comes first, then what happens now, then what will, then what did. */
const sections: readonly Section[] = ["failed", "executing", "pending", "queued", "finished"];

/** Empty where there is nothing at all, so that the welcome content shows. */
export function rootRefs(snapshot: TreeSnapshot): readonly NodeRef[] {
  return sideNames.every((side) => isEmptySide(snapshot[side]))
    ? []
    : sideNames.map((side) => ({ kind: "side", side }));
}

export const isEmptySide = (data: AnySide): boolean =>
  sections.every((section) => !hasSection(data, section));

/** `dayOf`: the local day of an ISO time, as `YYYY-MM-DD`. */
export function childRefs(
  snapshot: TreeSnapshot,
  ref: NodeRef,
  dayOf: (iso: string) => string,
): readonly NodeRef[] {
  const { side } = ref;
  const data = snapshot[side];
  switch (ref.kind) {
    case "side":
      return sectionsOf(data).map((section) => ({ kind: "section", side, section }));
    case "section":
      return sectionRefs(data, side, ref.section, dayOf);
    case "day":
      return finishedOn(data, ref.day, dayOf).map(({ id }) => ({ kind: "batch", side, batch: id }));
    case "place":
      return data.queued.filter((operation) => placeOf(operation) === ref.place).map(operationRef(side));
    case "batch": {
      const found = findBatch(data, ref.batch);
      return found ? batchRefs(found, side) : [];
    }
    case "more":
    case "operation":
      return [];
  }
}

/** In which row one stands, or would stand if it were there; `undefined` for a side, which stands in none. */
export function parentRef(
  snapshot: TreeSnapshot,
  ref: NodeRef,
  dayOf: (iso: string) => string,
): NodeRef | undefined {
  const { side } = ref;
  const data = snapshot[side];
  switch (ref.kind) {
    case "side":
      return undefined;
    case "section":
      return { kind: "side", side };
    case "place":
      return { kind: "section", side, section: "queued" };
    case "day":
      return { kind: "section", side, section: "finished" };
    case "batch":
      return placeOfBatch(data, side, ref.batch, dayOf);
    case "more":
      return ref.batch === undefined
        ? { kind: "section", side, section: "queued" }
        : { kind: "batch", side, batch: ref.batch };
    case "operation": {
      if (ref.batch !== undefined) return { kind: "batch", side, batch: ref.batch };
      const queued = findOperation(data, ref.operation, undefined);
      return queued && hasPlaces(data)
        ? { kind: "place", side, place: placeOf(queued) }
        : { kind: "section", side, section: "queued" };
    }
  }
}

function placeOfBatch(data: AnySide, side: SideName, id: string, dayOf: (iso: string) => string): NodeRef {
  const batch = findBatch(data, id);
  const section = sections.find(
    (name) => batch && name !== "queued" && batchesOf(data, name).includes(batch),
  );
  if (!batch || !section) return { kind: "side", side };
  return section === "finished"
    ? { kind: "day", side, day: dayOf(endOf(batch)) }
    : { kind: "section", side, section };
}

function sectionRefs(
  data: AnySide,
  side: SideName,
  section: Section,
  dayOf: (iso: string) => string,
): readonly NodeRef[] {
  if (section === "queued")
    return [...queuedRefs(data, side), ...moreRef(side, data.queuedCount - data.queued.length)];
  if (section !== "finished")
    return batchesOf(data, section).map(({ id }) => ({ kind: "batch", side, batch: id }));
  const days = new Set(finished(data).map((batch) => dayOf(endOf(batch))));
  return [...days].map((day) => ({ kind: "day", side, day }));
}

function batchRefs({ id: batch, operations, operationCount }: BatchView, side: SideName): readonly NodeRef[] {
  const refs = operations.map(({ id }): NodeRef => ({ kind: "operation", side, operation: id, batch }));
  return [...refs, ...moreRef(side, operationCount - operations.length, batch)];
}

function moreRef(side: SideName, hidden: number, batch?: string): readonly NodeRef[] {
  return hidden > 0 ? [{ kind: "more", side, ...(batch ? { batch } : {}) }] : [];
}

/** Grouped only where there is more than one place, in the order of the queue. */
function queuedRefs(data: AnySide, side: SideName): readonly NodeRef[] {
  if (!hasPlaces(data)) return data.queued.map(operationRef(side));
  return [...new Set(data.queued.map(placeOf))].map((place) => ({ kind: "place", side, place }));
}

const hasPlaces = ({ queued: [first, ...rest] }: AnySide): boolean =>
  first !== undefined && rest.some((operation) => placeOf(operation) !== placeOf(first));

const operationRef =
  (side: SideName) =>
  ({ id }: OperationView): NodeRef => ({ kind: "operation", side, operation: id });

/** The worktree of a git operation, the group of a request. */
export function placeOf({ detail, group }: OperationView): string {
  return isObject(detail) && typeof detail["worktree"] === "string" ? detail["worktree"] : group;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

export function batchesOf(data: AnySide, section: Exclude<Section, "queued">): readonly BatchView[] {
  switch (section) {
    case "failed":
      return data.executed.filter((batch) => isOnTop(data, batch));
    case "finished":
      return finished(data);
    case "executing":
    case "pending":
      return data[section];
  }
}

const sectionsOf = (data: AnySide): readonly Section[] =>
  sections.filter((section) => hasSection(data, section));

/** The branch that a commit is queued for; other labels name theirs. */
export function branchOf({ kind, detail }: OperationView): string {
  return kind === "commit" && isObject(detail) && typeof detail["branch"] === "string"
    ? detail["branch"]
    : "";
}

export const findBatch = (data: AnySide, id: string): BatchView | undefined => indexOf(data).batches.get(id);

export function findOperation(
  data: AnySide,
  id: string,
  batch: string | undefined,
): OperationView | undefined {
  if (batch === undefined) return indexOf(data).queued.get(id);
  const found = findBatch(data, batch);
  return found && byId(found.operations).get(id);
}

interface Index {
  readonly batches: ReadonlyMap<string, BatchView>;
  readonly queued: ReadonlyMap<string, OperationView>;
}
/** Every row is looked up at each change, so a list is indexed once for as long as it lives. */
const indexes = new WeakMap<AnySide, Index>();
const lists = new WeakMap<readonly OperationView[], ReadonlyMap<string, OperationView>>();

function indexOf(data: AnySide): Index {
  const known = indexes.get(data);
  if (known) return known;
  const batches = new Map(
    [...data.executed, ...data.pending, ...data.executing].map((batch) => [batch.id, batch]),
  );
  const index = { batches, queued: byId(data.queued) };
  indexes.set(data, index);
  return index;
}

function byId(operations: readonly OperationView[]): ReadonlyMap<string, OperationView> {
  const known = lists.get(operations) ?? new Map(operations.map((operation) => [operation.id, operation]));
  lists.set(operations, known);
  return known;
}

export const finishedOn = (
  data: AnySide,
  day: string,
  dayOf: (iso: string) => string,
): readonly BatchView[] => finished(data).filter((batch) => dayOf(endOf(batch)) === day);

/** Operations that failed or expired. */
export const failedCount = ({ counts }: BatchView): number =>
  (counts["failed"] ?? 0) + (counts["expired"] ?? 0);
export const hasFailed = (batch: BatchView): boolean => failedCount(batch) > 0;
/** Whether it stands under what failed, and not under its day: what has been retried is for the retry to tell. */
export const isOnTop = (data: AnySide, batch: BatchView): boolean =>
  hasFailed(batch) && data.dismissed?.has(batch.id) !== true && unanswered(data, batch) > 0;

/** How many failures nobody has retried. */
function unanswered(data: AnySide, batch: BatchView): number {
  const retried = retriedIn(data);
  const again = batch.operations.filter(
    ({ id, status }) => (status === "failed" || status === "expired") && retried.has(id),
  );
  return failedCount(batch) - again.length;
}

/** What the operations of a side are retries of; asked for each of its batches. */
function retriedIn(data: AnySide): ReadonlySet<string> {
  const known = retriedBySide.get(data);
  if (known) return known;
  const { queued, pending, executing, executed } = data;
  const batched = [...pending, ...executing, ...executed].flatMap(({ operations }) => operations);
  const found = new Set([...queued, ...batched].flatMap(({ retryOf }) => retryOf ?? []));
  retriedBySide.set(data, found);
  return found;
}

const retriedBySide = new WeakMap<AnySide, ReadonlySet<string>>();

export const endOf = (batch: BatchView): string => batch.endedAt ?? batch.startedAt ?? batch.createdAt;

const finished = (data: AnySide): readonly BatchView[] =>
  data.executed.filter((batch) => !isOnTop(data, batch));

function hasSection(data: AnySide, section: Section): boolean {
  return section === "queued" ? data.queuedCount > 0 : batchesOf(data, section).length > 0;
}
