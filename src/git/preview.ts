import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StoredOperation } from "../core/operation.ts";
import { protectedPayload, protectedText } from "./accept-push.ts";
import { same } from "./entries.ts";
import { failureOf, GitError } from "./git-error.ts";
import type { Failure } from "./git-error.ts";
import type { Made } from "./merge-chain.ts";
import { orUndefined, readOperation } from "./payload.ts";
import type { GitOperation } from "./payload.ts";
import { planBatch } from "./plan.ts";
import type { Plan } from "./plan.ts";
import { shortName } from "./refs.ts";
import { withoutSecrets } from "./remotes.ts";
import { commonDirOf, repositoryGone } from "./repository.ts";
import type { GitRunner } from "./runner.ts";
import { scratchRunner } from "./runner-with.ts";
import type { GitSettings } from "./settings.ts";
import { reasonForPorcelain } from "./engine.ts";
import { readState } from "./state.ts";
import type { RepositoryState } from "./state.ts";
import { tryOut } from "./try-out.ts";
import type { TryOut } from "./try-out.ts";
import { exists } from "./worktree-state.ts";

/** Short branch names, operation ids. */
export interface GitPreviewData {
  readonly group: string;
  readonly commits: readonly {
    readonly branch: string;
    readonly worktree: string;
    readonly engine: "fast" | "porcelain";
    /** Why `git commit` itself has to run. */
    readonly because?: string;
    readonly operations: readonly {
      readonly id: string;
      readonly label: string;
      readonly files: readonly string[];
    }[];
  }[];
  readonly merges: readonly {
    readonly target: string;
    readonly checkedOutIn?: string;
    readonly verified: boolean;
    readonly operations: readonly {
      readonly id: string;
      readonly source: string;
      readonly mode: string;
      /** Absent where it would fail. */
      readonly makes?: Made;
    }[];
  }[];
  readonly pushes: readonly {
    readonly url: string;
    readonly remote: string;
    readonly refs: readonly {
      readonly ref: string;
      readonly operations: readonly string[];
      readonly lease: boolean;
    }[];
    readonly atomic: boolean;
    /** `git push` processes. */
    readonly processes: number;
  }[];
  /** Operations that would fail as things are, and why. */
  readonly problems: readonly ({ readonly id: string; readonly label: string } & Failure)[];
  readonly warnings: readonly string[];
}

export interface PreviewDeps {
  readonly git: GitRunner;
  readonly settings: (worktree: string) => GitSettings;
  readonly operation: (id: string) => Promise<StoredOperation | undefined>;
  readonly recall: (key: string) => Promise<string | undefined>;
}

/** What flushing these operations of one repository would do. Commits and merges are tried out in a store that is thrown away. */
export async function previewGit(
  deps: PreviewDeps,
  operations: readonly StoredOperation[],
): Promise<GitPreviewData | undefined> {
  const [first] = operations;
  if (!first) return undefined;
  const commonDir = commonDirOf(first.group);
  if (!(await exists(commonDir))) return allFail(first.group, operations, repositoryGone(commonDir));
  try {
    return await planned(deps, first.group, operations);
  } catch (error) {
    // One repository that git cannot read hides no other's plan.
    if (!(error instanceof GitError)) throw error;
    return allFail(first.group, operations, failureOf(error));
  }
}

function allFail(group: string, operations: readonly StoredOperation[], failure: Failure): GitPreviewData {
  const labels = operations.slice(0, MAX_NAMED).map(({ label }) => `"${label}"`);
  const more = operations.length - labels.length;
  const named = `${labels.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  return {
    ...{ group, commits: [], merges: [], pushes: [] },
    problems: operations.map(({ id, label }) => ({ id, label, ...failure })),
    warnings: [`Nothing can be done in ${commonDirOf(group)}: ${failure.error}. Queued there: ${named}`],
  };
}

const MAX_NAMED = 10;

async function planned(
  deps: PreviewDeps,
  group: string,
  operations: readonly StoredOperation[],
): Promise<GitPreviewData> {
  const commonDir = commonDirOf(group);
  const items = operations.map(readOperation);
  const state = await readState(deps, commonDir, items);
  const plan = planBatch({ ...state, operations: items, settings: deps.settings, final: new Map() });
  const engines = await Promise.all(plan.commits.map((step) => reasonForPorcelain(step, state)));
  const objects = await mkdtemp(join(tmpdir(), "batch-control-preview-"));
  let tried: TryOut;
  try {
    tried = await tryOut(scratchRunner(deps.git, commonDir, objects), plan, state, engines);
  } finally {
    await rm(objects, { recursive: true, force: true });
  }
  return {
    group,
    commits: plan.commits.map(({ branch, operations: own, worktree }, index) => ({
      branch: shortName(branch),
      worktree: worktree?.path ?? own[0]?.worktree ?? commonDir,
      ...engineFields(engines[index]),
      operations: own.map(({ operation, changes }) => ({
        id: operation.id,
        label: operation.label,
        files: changes.flatMap(({ path, base, now }) =>
          same(orUndefined(base), orUndefined(now)) ? [] : [path],
        ),
      })),
    })),
    merges: plan.merges.map(({ target, worktree, operations: own }) => ({
      target: shortName(target),
      ...(worktree ? { checkedOutIn: worktree.path } : {}),
      verified: deps.settings(own[0]?.worktree ?? commonDir).verifyCommand !== "",
      operations: own.map(({ operation, source, mode }) => ({
        id: operation.id,
        source: shortName(source),
        mode,
        ...makes(tried.made.get(operation.id)),
      })),
    })),
    pushes: tried.pushes.map(({ step: { url, remote, atomic, limit }, sources }) => ({
      url: withoutSecrets(url),
      remote,
      refs: sources.map(({ ref, operations: own, lease }) => ({
        ref,
        operations: own.map(({ operation }) => operation.id),
        lease: lease !== undefined,
      })),
      atomic,
      processes: limit > 0 ? Math.ceil(sources.length / limit) : 1,
    })),
    problems: operations.flatMap(({ id, label }) => {
      const failure = tried.failures.get(id);
      return failure ? [{ id, label, ...failure }] : [];
    }),
    warnings: [...protectedNotes(deps, items), ...plan.warnings, ...mergeNotes(plan, state)],
  };
}

const engineFields = (
  because: string | undefined,
): { engine: "fast" } | { engine: "porcelain"; because: string } =>
  because === undefined ? { engine: "fast" } : { engine: "porcelain", because };

const makes = (made: Made | undefined): { readonly makes?: Made } =>
  made === undefined ? {} : { makes: made };

function protectedNotes(deps: PreviewDeps, items: readonly GitOperation[]): readonly string[] {
  const found = items.map((item) => protectedPayload(deps, item));
  return [...new Set(found.flatMap((target) => (target ? [protectedText(target)] : [])))];
}

function mergeNotes({ merges }: Plan, { configs }: RepositoryState): readonly string[] {
  if (merges.length === 0) return [];
  const notes = ["Merges use no recorded resolutions (rerere) and run no merge hooks."];
  const plain = merges.flatMap(({ operations }) => operations).filter(({ mode }) => mode === "merge");
  const setting = plain.map(({ worktree }) => configs.get(worktree)?.get("merge.ff")).find(Boolean);
  if (setting !== undefined)
    notes.push(`merge.ff is ${setting}, but what was queued decides: mode "merge" makes a merge commit.`);
  return notes;
}
