import type { StoredOperation } from "../core/operation.ts";
import { isFinal } from "../core/operation.ts";
import { same } from "./entries.ts";
import type { Entry } from "./entries.ts";
import type { Failure } from "./git-error.ts";
import { orUndefined, pathOf } from "./payload.ts";
import type { CommitOperation, GitOperation, PinnedChange } from "./payload.ts";

/** A commit that something else builds on. */
export interface Dependency {
  readonly id: string;
  /** For messages. */
  readonly name: string;
}

export const dependencyFailure = ({ id, name }: Dependency): Failure => ({
  reason: "dependency",
  error: `it builds on ${name}, which did not succeed`,
  detail: { dependency: id },
});

export const commitName = (label: string): string => `the commit "${label}"`;

const dependencyOn = ({ id, label }: StoredOperation): Dependency => ({ id, name: commitName(label) });

/** A merge on commits queued before it for source or target; a push on commits before it for its branch; a commit on one that changes the same path. */
export function dependenciesOf(
  operations: readonly GitOperation[],
): ReadonlyMap<string, readonly Dependency[]> {
  const dependencies = new Map<string, readonly Dependency[]>();
  const commits: CommitOperation[] = [];
  const lastOfPath = new Map<string, { readonly item: CommitOperation; readonly now: Entry | undefined }>();
  for (const item of operations) {
    const { id } = item.operation;
    switch (item.kind) {
      case "commit": {
        const keyOf = (change: PinnedChange): string => `${item.branch}\0${pathOf(change)}`;
        const basis = item.changes.flatMap((change) => {
          const last = lastOfPath.get(keyOf(change));
          // Retried in another order, one may stand before what it was made from.
          return last && same(last.now, orUndefined(change.base)) ? [last.item] : [];
        });
        dependencies.set(id, allOf(basis));
        // Nobody builds on a commit for a path that it leaves as it is.
        for (const change of item.changes) {
          const now = orUndefined(change.now);
          if (!same(now, orUndefined(change.base))) lastOfPath.set(keyOf(change), { item, now });
        }
        commits.push(item);
        break;
      }
      case "merge":
        dependencies.set(id, allOf(commits.filter(isOn(item.source, item.target))));
        break;
      case "push":
        dependencies.set(id, allOf(commits.filter(isOn(item.branch))));
    }
  }
  return dependencies;
}

const isOn =
  (...branches: readonly string[]) =>
  ({ branch }: CommitOperation): boolean =>
    branches.includes(branch);

const allOf = (commits: readonly CommitOperation[]): readonly Dependency[] =>
  [...new Set(commits)].map(({ operation }) => dependencyOn(operation));

/** Commits of no or of an earlier batch that some of these build on and that came to nothing, by id. */
export async function lostBefore(
  operations: readonly GitOperation[],
  stored: (id: string) => Promise<StoredOperation | undefined>,
): Promise<ReadonlyMap<string, Dependency>> {
  const own = new Set(operations.map(({ operation }) => operation.id));
  const outside = new Set(
    operations.flatMap((item) =>
      item.kind === "commit"
        ? item.changes.flatMap(({ after }) => (after === undefined || own.has(after) ? [] : [after]))
        : [],
    ),
  );
  const found = await Promise.all([...outside].map(stored));
  return new Map(
    found.flatMap((operation) =>
      operation && isFinal(operation.status) && operation.status !== "succeeded"
        ? [[operation.id, dependencyOn(operation)] as const]
        : [],
    ),
  );
}
