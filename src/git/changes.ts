import { createHash } from "node:crypto";
import { InputError } from "../core/errors.ts";
import type { CommitInput } from "../core/schema/inputs.ts";
import type { Scene } from "./accept-context.ts";
import { FOLDER, same, SUBMODULE, textOf, treeEntries } from "./entries.ts";
import type { Entry, EntryChange, PathKey } from "./entries.ts";
import { shown } from "./files.ts";
import type { OnDisk } from "./files.ts";
import { pathFields, pathOf } from "./payload.ts";
import type { CommitPayload, PinnedChange } from "./payload.ts";
import type { OpenCommit } from "./pins.ts";
import { readRefs, shortName } from "./refs.ts";

export interface CommitRequest {
  readonly id: string;
  readonly input: CommitInput;
  /** An operation whose own pin does not count: the one that is being edited. */
  readonly instead?: string;
}

/** What one request wants, after everything that can be checked without reading content. */
export interface Wanted {
  readonly request: CommitRequest;
  readonly branch: string;
  /** By path; `undefined` where what is staged is taken instead. */
  readonly files: ReadonlyMap<PathKey, OnDisk> | undefined;
}

export interface Sources {
  readonly scene: Scene;
  readonly staged: readonly EntryChange[];
  readonly index: { readonly entries: ReadonlyMap<PathKey, Entry>; readonly unmerged: ReadonlySet<PathKey> };
  /** Open commits in order of acceptance. */
  readonly pins: readonly OpenCommit[];
  /** Those of them that are accepted just now and that nobody else knows of yet. */
  readonly round: ReadonlySet<string>;
  readonly tipOf: ReadonlyMap<string, ReadonlyMap<PathKey, Entry>>;
  readonly content: ReadonlyMap<PathKey, string>;
  readonly ignored: ReadonlySet<PathKey>;
  /** Why a path is another repository's. */
  readonly foreign: ReadonlyMap<PathKey, string>;
  readonly skipped: ReadonlySet<PathKey>;
}

/** The payload of one request: per path what it becomes and what it was made from. Rejects with `InputError`. */
export async function changesOf(
  { request, branch, files }: Wanted,
  sources: Sources,
): Promise<CommitPayload> {
  const { scene, index } = sources;
  if (!files && index.unmerged.size > 0) {
    throw new InputError(
      "files",
      `${shown(textOf([...index.unmerged][0] ?? ""))} has conflicts in the index`,
      "unmerged",
    );
  }
  if (!files && sources.staged.length === 0 && request.input.allowEmpty !== true) {
    throw new InputError(
      "files",
      `nothing is staged in ${scene.worktree.path}: name files or stage some`,
      "nothing-staged",
    );
  }
  const previous = previousCommits(sources.pins, branch, scene.repository.commonDir, request.instead);
  const changes: PinnedChange[] = [];
  const content = createHash("sha256");
  const keys = files ? [...files.keys()] : sources.staged.map(({ path }) => path);
  for (const key of keys) {
    const { base, after } = await baseOf(key, branch, previous, sources);
    const disk = files?.get(key);
    const now = disk
      ? await contentOf(key, disk, base, sources)
      : sources.staged.find(({ path }) => path === key)?.after;
    content.update(`${now?.mode ?? "-"} ${now?.oid ?? "-"} ${key}\0`);
    // Staged changes that an earlier queued commit already holds are not this commit's.
    if (!files && same(now, base)) continue;
    changes.push({
      ...pathFields(key),
      now: now ?? null,
      base: base ?? null,
      index: index.entries.get(key) ?? null,
      ...(after === undefined ? {} : { after }),
    });
  }
  const { idempotencyKey: _, ...input } = request.input;
  return {
    kind: "commit",
    worktree: scene.repository.topLevel,
    commonDir: scene.repository.commonDir,
    input: { ...input },
    branch,
    unborn: !scene.refs.has(branch),
    message: input.message,
    allowEmpty: input.allowEmpty ?? false,
    signoff: input.signoff ?? false,
    changes,
    content: content.digest("hex"),
  };
}

type Previous = ReadonlyMap<PathKey, { readonly id: string; readonly entry: Entry | undefined }>;

/** For each path of the branch the last queued commit that sets it. */
export function previousCommits(
  pins: readonly OpenCommit[],
  branch: string,
  commonDir: string,
  except: string | undefined,
): Previous {
  const previous = new Map<PathKey, { readonly id: string; readonly entry: Entry | undefined }>();
  for (const { id, payload } of pins) {
    if (id === except) break;
    if (payload.branch !== branch || payload.commonDir !== commonDir) continue;
    for (const change of payload.changes)
      previous.set(pathOf(change), { id, entry: change.now ?? undefined });
  }
  return previous;
}

async function baseOf(
  key: PathKey,
  branch: string,
  previous: Previous,
  { scene, tipOf, round }: Sources,
): Promise<{ readonly base: Entry | undefined; readonly after?: string }> {
  const earlier = previous.get(key);
  if (earlier && (round.has(earlier.id) || (await scene.open.isOpen(earlier.id))))
    return { base: earlier.entry, after: earlier.id };
  // Where it ended just now, the branch may have moved after its tip was read.
  const tip = earlier ? await entryAtTip(key, branch, scene) : tipOf.get(branch)?.get(key);
  return { base: tip?.mode === FOLDER ? undefined : tip };
}

async function entryAtTip(
  key: PathKey,
  branch: string,
  { deps, repository }: Scene,
): Promise<Entry | undefined> {
  const tip = (await readRefs(deps.git, repository.commonDir, branch)).get(branch);
  return tip === undefined
    ? undefined
    : (await treeEntries(deps.git, repository.commonDir, tip, [key])).get(key);
}

async function contentOf(
  key: PathKey,
  disk: OnDisk,
  base: Entry | undefined,
  sources: Sources,
): Promise<Entry | undefined> {
  const { scene, content, index } = sources;
  const name = shown(textOf(key));
  const refuse = (why: string, reason: string): never => {
    throw new InputError("files", `${name} ${why}`, reason);
  };
  const foreign = sources.foreign.get(key);
  if (foreign !== undefined) refuse(foreign, "in-other-repository");
  const tracked = base ?? index.entries.get(key);
  if (sources.ignored.has(key))
    refuse(
      "is untracked and matches an ignore rule; git add -f it first to commit it all the same",
      "ignored",
    );
  if (index.unmerged.has(key)) refuse("has conflicts in the index", "unmerged");
  switch (disk.kind) {
    case "file": {
      const executable = scene.config.flag("core.filemode", true)
        ? disk.executable
        : tracked?.mode === "100755";
      return { mode: executable ? "100755" : "100644", oid: content.get(key) ?? "" };
    }
    case "link":
      return { mode: "120000", oid: content.get(key) ?? "" };
    case "folder":
      if (tracked?.mode === SUBMODULE)
        return { mode: SUBMODULE, oid: await submoduleHead(scene, textOf(key)) };
      if (!base) refuse("is a folder; name the files in it", "folder");
      return undefined;
    case "behind-link":
      if (!base) refuse(`lies behind the symbolic link ${shown(disk.link)}`, "behind-link");
      return undefined;
    case "absent":
      if (sources.skipped.has(key)) refuse("is left out by the sparse checkout; include it first", "sparse");
      if (!base) refuse(`does not exist and is not on ${shortName(branchName(sources))}`, "missing");
      return undefined;
    case "special":
      return refuse("is neither a file nor a symbolic link", "special");
  }
}

const branchName = ({ tipOf }: Sources): string => [...tipOf.keys()][0] ?? "the branch";

async function submoduleHead(scene: Scene, path: string): Promise<string> {
  try {
    const { git } = scene.deps;
    return (
      await git.read(`${scene.repository.topLevel}/${path}`, ["rev-parse", "--verify", "HEAD^{commit}"])
    ).trim();
  } catch (error) {
    throw new InputError(
      "files",
      `the submodule ${shown(path)} has no commit checked out: ${String(error)}`,
      "submodule",
    );
  }
}
