import type { Failure } from "./git-error.ts";
import { nameClashes } from "./name-clashes.ts";
import type { GitOperation, MergeOperation, PushOperation } from "./payload.ts";
import { shortName } from "./refs.ts";
import { remoteGone, withoutSecrets } from "./remotes.ts";
import type { GitSettings } from "./settings.ts";

export interface PushPlanInput {
  readonly operations: readonly GitOperation[];
  /** Addresses of each remote, or why they are not known. */
  readonly urls: ReadonlyMap<string, readonly string[] | Failure>;
  readonly settings: (worktree: string) => GitSettings;
  /** Most refs in one push that the host at this address takes, as it told us. */
  readonly learned: ReadonlyMap<string, number>;
  /** Full names; of them the remote-tracking branches tell what a remote had when it was last seen. */
  readonly refs: ReadonlyMap<string, unknown>;
}

/** One ref of one push. */
export interface PushRef {
  /** Full name, the same here and there. */
  readonly ref: string;
  /** Only where a push was asked for with a lease. */
  readonly lease?: { readonly expect: string; readonly pushed?: string };
  readonly operations: readonly (PushOperation | MergeOperation)[];
}

/** Everything that goes to one address. */
export interface PushStep {
  readonly url: string;
  readonly remote: string;
  /** The remote has this one address, so it can be pushed to by its name. */
  readonly byName: boolean;
  readonly worktree: string;
  readonly refs: readonly PushRef[];
  readonly atomic: boolean;
  /** Most refs in one process; 0: all. */
  readonly limit: number;
  readonly timeoutMs: number;
}

export interface PushPlan {
  readonly steps: readonly PushStep[];
  readonly refused: ReadonlyMap<string, Failure>;
  readonly warnings: readonly string[];
}

interface Draft {
  readonly url: string;
  readonly remote: string;
  readonly byName: boolean;
  readonly worktree: string;
  readonly refs: Map<string, PushRef>;
}

export function planPushes({ operations, urls, settings, learned, refs }: PushPlanInput): PushPlan {
  const refused = new Map<string, Failure>();
  const drafts = new Map<string, Draft>();
  for (const item of operations) {
    const wish = wishOf(item);
    if (!wish) continue;
    const addresses = urls.get(wish.remote) ?? remoteGone(wish.remote);
    if ("reason" in addresses) {
      refused.set(item.operation.id, addresses);
      continue;
    }
    for (const url of addresses) {
      const draft = drafts.get(url) ?? {
        url,
        remote: wish.remote,
        byName: addresses.length === 1,
        worktree: wish.item.worktree,
        refs: new Map<string, PushRef>(),
      };
      drafts.set(url, draft);
      for (const ref of wish.refs) addRef(draft.refs, ref, wish);
    }
  }
  const steps = [...drafts.values()].map((draft) =>
    stepOf(draft, settings(draft.worktree), learned.get(draft.url) ?? 0),
  );
  return {
    steps,
    refused,
    warnings: steps.flatMap((step) => [...warningsOf(step), ...clashesOf(step, refs)]),
  };
}

interface Wish {
  readonly item: PushOperation | MergeOperation;
  readonly remote: string;
  readonly refs: readonly string[];
  readonly lease?: NonNullable<PushRef["lease"]>;
}

function wishOf(item: GitOperation): Wish | undefined {
  switch (item.kind) {
    case "commit":
      return undefined;
    case "merge":
      return item.push && { item, remote: item.push.remote, refs: [item.target] };
    case "push": {
      const { remote, branch, tags, lease, pushed } = item;
      const refs = [branch, ...tags];
      if (lease === undefined) return { item, remote, refs };
      return { item, remote, refs, lease: { expect: lease, ...(pushed === undefined ? {} : { pushed }) } };
    }
  }
}

function addRef(refs: Map<string, PushRef>, ref: string, { item, lease }: Wish): void {
  const known = refs.get(ref);
  // The tip is the same for every request, so one that may rewrite the branch speaks for all.
  const kept = (item.kind === "push" && item.branch === ref ? lease : undefined) ?? known?.lease;
  refs.set(ref, {
    ref,
    operations: [...(known?.operations ?? []), item],
    ...(kept === undefined ? {} : { lease: kept }),
  });
}

function stepOf(draft: Draft, settings: GitSettings, learned: number): PushStep {
  const { url, remote, byName, worktree } = draft;
  const limits = [settings.maxRefsPerPush, learned].filter((limit) => limit > 0);
  return {
    url,
    remote,
    byName,
    worktree,
    // Merge targets first: what is based on them is understood by the host when it arrives.
    refs: [...draft.refs.values()].sort((a, b) => Number(isTarget(b)) - Number(isTarget(a))),
    atomic: settings.atomicPush,
    limit: limits.length === 0 ? 0 : Math.min(...limits),
    timeoutMs: settings.pushTimeout * 1000,
  };
}

const isTarget = ({ operations }: PushRef): boolean => operations.some(({ kind }) => kind === "merge");

/** What hosts are documented to leave out for wide pushes. */
function warningsOf({ url, refs, atomic, limit }: PushStep): readonly string[] {
  const where = withoutSecrets(url);
  const width = limit > 0 ? Math.min(limit, refs.length) : refs.length;
  const tags = refs.filter(({ ref }) => ref.startsWith("refs/tags/")).length;
  const warnings: string[] = [];
  if (/github\./i.test(url) && tags > 3)
    warnings.push(`${where}: GitHub starts no workflows for more than 3 tags in one push.`);
  if (/gitlab/i.test(url) && width > 3) {
    warnings.push(
      `${where}: GitLab starts at most 4 pipelines and no webhooks for more than 3 refs in one push.`,
    );
  }
  if (/bitbucket/i.test(url) && width > 5)
    warnings.push(`${where}: Bitbucket starts no pipelines for more than 5 refs in one push.`);
  if (atomic && limit > 0 && refs.length > limit) {
    warnings.push(`${where}: ${refs.length} refs need several pushes, so an atomic push is not possible.`);
  }
  return warnings;
}

function clashesOf({ url, remote, refs }: PushStep, known: ReadonlyMap<string, unknown>): readonly string[] {
  const prefix = `refs/remotes/${remote}/`;
  const there = [...known.keys()].flatMap((ref) =>
    ref.startsWith(prefix) ? [`refs/heads/${ref.slice(prefix.length)}`] : [],
  );
  return nameClashes(
    refs.map(({ ref }) => ref),
    there,
  ).map(({ names, kind }) => {
    const both = `${withoutSecrets(url)}: ${names.map(shortName).join(" and ")}`;
    return kind === "folder"
      ? `${both} cannot be there side by side.`
      : `${both} differ only in case; a host that ignores case refuses one of them.`;
  });
}
