import { branchGone } from "./branch-gone.ts";
import { dependencyFailure } from "./dependencies.ts";
import type { Dependency } from "./dependencies.ts";
import { shown } from "./files.ts";
import { failureOf, GitError } from "./git-error.ts";
import type { Failure } from "./git-error.ts";
import { mergeTree } from "./merge-tree.ts";
import type { MergePlace } from "./merge-tree.ts";
import type { MergeOperation } from "./payload.ts";
import { shortName } from "./refs.ts";
import { endError } from "./runner.ts";
import type { GitRunner } from "./runner.ts";

/** One merge of a chain that came out clean. */
export interface Link {
  readonly operation: MergeOperation;
  /** The target before and after it; the same where the source was in already. */
  readonly old: string;
  readonly next: string;
  readonly source: string;
}

/** What a merge leaves behind. A squash makes a commit with one parent. */
export type Made = "merge-commit" | "squash-commit" | "fast-forward" | "nothing";

/** The mode alone decides whether a merge that could be a fast-forward makes a commit; git's `merge.ff` is not read. */
export function madeBy({ operation, old, next, source }: Link): Made {
  if (old === next) return "nothing";
  if (next === source) return "fast-forward";
  return operation.mode === "squash" ? "squash-commit" : "merge-commit";
}

export interface Chain {
  readonly start: string;
  readonly links: readonly Link[];
  readonly failures: ReadonlyMap<string, Failure>;
}

export interface ChainRequest {
  readonly git: GitRunner;
  readonly place: MergePlace;
  /** Where commits are made: identity and signing as in that worktree. */
  readonly commitIn: (worktree: string) => string;
  readonly signs: (worktree: string) => boolean;
  readonly start: string;
  readonly operations: readonly MergeOperation[];
  /** Tips as the batch has left them so far. */
  readonly tips: ReadonlyMap<string, string>;
  /** The operation it builds on that did not succeed, if any. */
  readonly broken: (operation: MergeOperation) => Dependency | undefined;
  readonly signal?: AbortSignal;
  readonly env?: Readonly<Record<string, string>>;
}

type Linking = ChainRequest & { readonly trees: Map<string, string> };

/** Merges one source after the other onto the target; one that conflicts is left out and the rest go on. */
export async function buildChain(chain: ChainRequest): Promise<Chain> {
  const request: Linking = { ...chain, trees: new Map() };
  const links: Link[] = [];
  const failures = new Map<string, Failure>();
  let tip = request.start;
  for (const operation of request.operations) {
    request.signal?.throwIfAborted();
    const broken = request.broken(operation);
    const source = request.tips.get(operation.source);
    const outcome =
      broken !== undefined
        ? dependencyFailure(broken)
        : source === undefined
          ? branchGone(operation.source)
          : await linkOrFailure(request, operation, tip, source, links);
    if ("reason" in outcome) {
      failures.set(operation.operation.id, outcome);
      continue;
    }
    links.push(outcome);
    tip = outcome.next;
  }
  return { start: request.start, links, failures };
}

async function linkOrFailure(
  request: Linking,
  operation: MergeOperation,
  tip: string,
  source: string,
  before: readonly Link[],
): Promise<Link | Failure> {
  try {
    return await link(request, operation, tip, source, before);
  } catch (error) {
    if (!(error instanceof GitError) || request.signal?.aborted) throw error;
    return failureOf(error);
  }
}

async function link(
  request: Linking,
  operation: MergeOperation,
  tip: string,
  source: string,
  before: readonly Link[],
): Promise<Link | Failure> {
  const { git, place } = request;
  const target = shortName(operation.target);
  const name = shortName(operation.source);
  if (operation.mode === "ff-only") {
    if (await isAncestor(git, place, source, tip)) return { operation, old: tip, next: tip, source };
    if (await isAncestor(git, place, tip, source)) return { operation, old: tip, next: source, source };
    return {
      reason: "not-fast-forward",
      error: `${target} cannot be fast-forwarded to ${name}: both have commits of their own`,
    };
  }
  const answer = await mergeTree(git, place, tip, source, request.signal);
  if (answer.kind === "conflict") {
    const opponent = await opponentOf(request, target, source, before);
    const files = answer.files.length > 0 ? ` in ${answer.files.slice(0, 5).map(shown).join(", ")}` : "";
    return {
      reason: "conflict",
      error: `${name} conflicts with ${opponent}${files}`,
      detail: { conflictFiles: answer.files, conflictKinds: answer.kinds, opponent },
    };
  }
  if (answer.tree === (await treeOf(request, tip))) {
    if (operation.mode === "squash" || (await isAncestor(git, place, source, tip)))
      return { operation, old: tip, next: tip, source };
  }
  const parents = operation.mode === "squash" ? [tip] : [tip, source];
  const next = await commitTree(request, operation, answer.tree, parents);
  request.trees.set(next, answer.tree);
  return { operation, old: tip, next, source };
}

/** Trees of the chain's own commits are known already. */
async function treeOf({ git, place, trees }: Linking, commit: string): Promise<string> {
  const known = trees.get(commit);
  if (known !== undefined) return known;
  const args = ["rev-parse", "--verify", "--end-of-options", `${commit}^{tree}`];
  const tree = (await git.must(place.cwd, args, { env: place.env })).toString("latin1").trim();
  trees.set(commit, tree);
  return tree;
}

async function isAncestor(
  git: GitRunner,
  place: MergePlace,
  ancestor: string,
  descendant: string,
): Promise<boolean> {
  const args = ["merge-base", "--is-ancestor", ancestor, descendant];
  const end = await git.run(place.cwd, args, { env: place.env });
  if (end.exitCode !== 0 && end.exitCode !== 1) throw endError(args, end);
  return end.exitCode === 0;
}

/** Who a source conflicts with: the target as it was, or the first merge of this chain that suffices alone. */
async function opponentOf(
  { git, place, start }: ChainRequest,
  target: string,
  source: string,
  before: readonly Link[],
): Promise<string> {
  if ((await mergeTree(git, place, start, source)).kind === "conflict") return target;
  for (const other of before) {
    if ((await mergeTree(git, place, other.source, source)).kind === "conflict")
      return shortName(other.operation.source);
  }
  return "the merges before it together";
}

async function commitTree(
  request: ChainRequest,
  operation: MergeOperation,
  tree: string,
  parents: readonly string[],
): Promise<string> {
  const { worktree } = operation;
  const args = [
    "commit-tree",
    ...(request.signs(worktree) ? ["-S"] : []),
    tree,
    ...parents.flatMap((parent) => ["-p", parent]),
    "-F",
    "-",
  ];
  const output = await request.git.must(request.commitIn(worktree), args, {
    input: messageOf(operation),
    ...(request.signal ? { signal: request.signal } : {}),
    ...(request.env ? { env: request.env } : {}),
  });
  return output.toString("latin1").trim();
}

function messageOf({ message, mode, source, target }: MergeOperation): string {
  if (message !== undefined) return message.endsWith("\n") ? message : `${message}\n`;
  const name = shortName(source);
  return mode === "squash"
    ? `Squash branch '${name}' into ${shortName(target)}\n`
    : `Merge branch '${name}' into ${shortName(target)}\n`;
}
