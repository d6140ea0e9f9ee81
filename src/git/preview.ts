import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StoredOperation } from "../core/operation.ts";
import { buildCommits } from "./commit-fast.ts";
import type { Failure } from "./git-error.ts";
import { buildChain } from "./merge-chain.ts";
import { withTargetAttributes } from "./merge-tree.ts";
import { readOperation } from "./payload.ts";
import { planBatch } from "./plan.ts";
import type { Plan } from "./plan.ts";
import { shortName } from "./refs.ts";
import { withoutSecrets } from "./remotes.ts";
import { commonDirOf } from "./repository.ts";
import type { GitRunner, GitRunOptions } from "./runner.ts";
import type { GitSettings } from "./settings.ts";
import { reasonForPorcelain } from "./engine.ts";
import { readState } from "./state.ts";
import type { RepositoryState } from "./state.ts";

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
    readonly operations: readonly { readonly id: string; readonly source: string; readonly mode: string }[];
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
  readonly problems: readonly ({ readonly id: string } & Failure)[];
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
  const items = operations.map(readOperation);
  const state = await readState(deps, commonDir, items);
  const plan = planBatch({ ...state, operations: items, settings: deps.settings, final: new Map() });
  const engines = await Promise.all(plan.commits.map((step) => reasonForPorcelain(step, state)));
  const objects = await mkdtemp(join(tmpdir(), "batch-control-preview-"));
  let failures: ReadonlyMap<string, Failure>;
  try {
    failures = await tryOut(new ScratchRunner(deps.git, commonDir, objects), commonDir, plan, state);
  } finally {
    await rm(objects, { recursive: true, force: true });
  }
  return {
    group: first.group,
    commits: plan.commits.map(({ branch, operations: own, worktree }, index) => ({
      branch: shortName(branch),
      worktree: worktree?.path ?? own[0]?.worktree ?? commonDir,
      ...engineFields(engines[index]),
      operations: own.map(({ operation, changes }) => ({
        id: operation.id,
        label: operation.label,
        files: changes.map(({ path }) => path),
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
      })),
    })),
    pushes: plan.pushes.map(({ url, remote, refs, atomic, limit }) => ({
      url: withoutSecrets(url),
      remote,
      refs: refs.map(({ ref, operations: own, lease }) => ({
        ref,
        operations: own.map(({ operation }) => operation.id),
        lease: lease !== undefined,
      })),
      atomic,
      processes: limit > 0 ? Math.ceil(refs.length / limit) : 1,
    })),
    problems: [...plan.refused, ...failures].map(([id, failure]) => ({ id, ...failure })),
    warnings: [...plan.warnings, ...mergeNotes(plan)],
  };
}

const engineFields = (
  because: string | undefined,
): { engine: "fast" } | { engine: "porcelain"; because: string } =>
  because === undefined ? { engine: "fast" } : { engine: "porcelain", because };

const mergeNotes = ({ merges }: Plan): readonly string[] =>
  merges.length === 0 ? [] : ["Merges use no recorded resolutions (rerere) and run no merge hooks."];

/** The same steps as the executor's, with objects that nobody will see. */
async function tryOut(
  git: GitRunner,
  commonDir: string,
  plan: Plan,
  state: RepositoryState,
): Promise<ReadonlyMap<string, Failure>> {
  const failures = new Map<string, Failure>(plan.refused);
  const tips = new Map(state.refs);
  const built = await buildCommits({
    git,
    cwd: commonDir,
    steps: plan.commits,
    tips,
    configs: state.configs,
    places: state.places,
    dependencies: plan.dependencies,
    lost: state.lost,
    failedBefore: (id) => plan.refused.has(id),
    temporaryPrefix: undefined,
  });
  for (const [id, failure] of built.failures) failures.set(id, failure);
  for (const { step, commits } of built.branches) tips.set(step.branch, commits.at(-1)?.oid ?? "");
  for (const step of plan.merges) {
    const start = tips.get(step.target);
    if (start === undefined) continue;
    const chain = await withTargetAttributes(git, commonDir, start, step.worktree?.path, (place) =>
      buildChain({
        git,
        place,
        commitIn: (worktree) => state.places.get(worktree) ?? commonDir,
        signs: () => false,
        start,
        operations: step.operations,
        tips,
        broken: ({ operation }) => plan.dependencies.get(operation.id)?.find(({ id }) => failures.has(id)),
      }),
    );
    for (const [id, failure] of chain.failures) failures.set(id, failure);
    tips.set(step.target, chain.links.at(-1)?.next ?? start);
  }
  for (const id of plan.refused.keys()) failures.delete(id);
  return failures;
}

/** Writes new objects into a folder of their own; reads see the repository's as well. */
class ScratchRunner implements GitRunner {
  readonly #inner: GitRunner;
  readonly #env: Readonly<Record<string, string>>;

  constructor(inner: GitRunner, commonDir: string, objects: string) {
    this.#inner = inner;
    this.#env = {
      GIT_OBJECT_DIRECTORY: objects,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: join(commonDir, "objects"),
    };
  }

  get started(): number {
    return this.#inner.started;
  }

  get sshConfigured(): boolean {
    return this.#inner.sshConfigured;
  }

  read(cwd: string, args: readonly string[]): Promise<string> {
    return this.#inner.read(cwd, args);
  }

  run(cwd: string, args: readonly string[], options: GitRunOptions = {}): ReturnType<GitRunner["run"]> {
    return this.#inner.run(cwd, args, this.#with(options));
  }

  must(cwd: string, args: readonly string[], options: GitRunOptions = {}): Promise<Buffer> {
    return this.#inner.must(cwd, args, this.#with(options));
  }

  #with(options: GitRunOptions): GitRunOptions {
    return { ...options, env: { ...options.env, ...this.#env } };
  }
}
