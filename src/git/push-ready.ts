import { dependencyFailure } from "./dependencies.ts";
import type { Dependency } from "./dependencies.ts";
import type { Failure } from "./git-error.ts";
import type { PushRef, PushStep } from "./plan-pushes.ts";
import type { PushSource } from "./push-process.ts";
import { shortName } from "./refs.ts";
import { withoutSecrets } from "./remotes.ts";

/** How a batch stands once its commits and merges have ended, or would have. Operations by id, refs by full name. */
export interface Standing {
  readonly isOpen: (id: string) => boolean;
  readonly hasFailed: (id: string) => boolean;
  /** A merge that has its commit. */
  readonly hasLanded: (id: string) => boolean;
  readonly tips: ReadonlyMap<string, string>;
}

/** What of a push is still to be done, and who cannot take part in it. Pure; for the preview and for the run. */
export function readyToPush(
  { refs }: PushStep,
  dependencies: ReadonlyMap<string, readonly Dependency[]>,
  standing: Standing,
): { readonly sources: readonly PushSource[]; readonly failures: ReadonlyMap<string, Failure> } {
  const failures = new Map<string, Failure>();
  const takesPart = (id: string): boolean => standing.isOpen(id) && !failures.has(id);
  for (const { ref, operations } of refs) {
    for (const { kind, operation } of operations.filter((item) => takesPart(item.operation.id))) {
      const broken = dependencies.get(operation.id)?.find(({ id }) => standing.hasFailed(id));
      if (broken !== undefined && kind === "push") failures.set(operation.id, dependencyFailure(broken));
      else if (!standing.tips.has(ref))
        failures.set(operation.id, {
          reason: "unknown-branch",
          error: `there is no ${shortName(ref)} any more`,
        });
    }
  }
  const sources = refs.flatMap((wanted) => sourceOf(wanted, takesPart, standing) ?? []);
  return { sources, failures };
}

function sourceOf(
  wanted: PushRef,
  takesPart: (id: string) => boolean,
  { hasLanded, tips }: Standing,
): PushSource | undefined {
  const oid = tips.get(wanted.ref);
  const operations = wanted.operations.filter(
    ({ kind, operation }) => takesPart(operation.id) && (kind === "push" || hasLanded(operation.id)),
  );
  return oid === undefined || operations.length === 0 ? undefined : { ...wanted, oid, operations };
}

/** Why that many refs cannot go in one atomic push, if so. `limit` 0: the host takes any number. */
export function splitFailure({ atomic, url }: PushStep, refs: number, limit: number): Failure | undefined {
  if (!atomic || limit === 0 || refs <= limit) return undefined;
  const error = `an atomic push of ${refs} refs is not possible: ${withoutSecrets(url)} takes at most ${limit} at once`;
  return { reason: "atomic-split", error };
}
