import { InputError } from "../core/errors.ts";
import type { Scene } from "./accept-context.ts";
import { branchOf, heldBy } from "./branch-names.ts";
import { changesOf } from "./changes.ts";
import type { CommitRequest, Wanted } from "./changes.ts";
import { contentOf } from "./content.ts";
import { indexEntries, keyOfText, parseRawDiff, textOf, treeEntries } from "./entries.ts";
import type { EntryChange, PathKey } from "./entries.ts";
import { nestedRepository, onDisk, relativePath, shown } from "./files.ts";
import type { OnDisk } from "./files.ts";
import type { CommitPayload } from "./payload.ts";
import { pinnedId, pinPrefix, writePins } from "./pins.ts";
import { shortName } from "./refs.ts";

/** Checks and pins commits of one worktree; one payload or `InputError` per request, in order. */
export async function acceptCommits(
  scene: Scene,
  requests: readonly CommitRequest[],
): Promise<readonly (CommitPayload | Error)[]> {
  const checkedParents = new Set<string>();
  const wanted = await Promise.all(
    requests.map((request) => asValue(() => check(scene, request, checkedParents))),
  );
  const answers = await read(scene, wanted);
  const accepted = answers.flatMap((answer, index) => {
    const request = requests[index];
    return answer instanceof Error || !request ? [] : [{ id: request.id, payload: answer }];
  });
  const trees = await writePins(
    scene.deps.git,
    scene.repository.topLevel,
    accepted.map(({ id, payload }) => ({
      operation: id,
      entries: payload.changes.flatMap(({ now }) => now ?? []),
    })),
  );
  accepted.forEach(({ id, payload }, index) => scene.open.accepted(id, trees[index] ?? "", payload));
  return answers;
}

async function check(scene: Scene, request: CommitRequest, checkedParents: Set<string>): Promise<Wanted> {
  const { worktree, worktrees, refs, repository } = scene;
  const { input } = request;
  const branch = branchOf(worktree, input.branch, refs);
  if (worktree.busy) {
    throw new InputError(
      "worktree",
      `${worktree.path} is in the middle of a ${worktree.busy.activity}; finish or abort it first`,
      "busy",
    );
  }
  const held = heldBy(branch, worktrees);
  if (held !== undefined) throw new InputError("branch", held, "busy");
  const elsewhere = worktrees.filter((other) => other.branch === branch && other.gitDir !== worktree.gitDir);
  const [other] = elsewhere;
  if (other && !other.prunable) {
    throw new InputError(
      "branch",
      `${shortName(branch)} is checked out in ${other.path}; queue its commits there`,
      "checked-out-elsewhere",
    );
  }
  if (!input.files) return { request, branch, files: undefined };
  const aliases = [input.worktree];
  const files = new Map<PathKey, OnDisk>();
  for (const [index, file] of input.files.entries()) {
    const path = relativePath(repository.topLevel, aliases, file, `files.${index}`);
    files.set(keyOfText(path), await onDisk(repository.topLevel, path, checkedParents));
  }
  return { request, branch, files };
}

/** Reads bases, index and content of all requests together, then makes each one's changes in order. */
async function read(
  scene: Scene,
  wanted: readonly (Wanted | Error)[],
): Promise<readonly (CommitPayload | Error)[]> {
  const { deps, repository, refs } = scene;
  const cwd = repository.topLevel;
  const good = wanted.filter((item): item is Wanted => !(item instanceof Error));
  const staged = good.some(({ files }) => !files) ? await stagedChanges(scene) : [];
  const paths = new Set([
    ...good.flatMap(({ files }) => [...(files?.keys() ?? [])]),
    ...staged.map(({ path }) => path),
  ]);
  const branches = [...new Set(good.map(({ branch }) => branch))].filter((branch) => refs.has(branch));
  const [index, pins, ...tips] = await Promise.all([
    indexEntries(deps.git, cwd, paths),
    scene.open.list(pinsOf(refs)),
    ...branches.map((branch) => treeEntries(deps.git, cwd, refs.get(branch) ?? branch, paths)),
  ]);
  const tipOf = new Map(branches.map((branch, at) => [branch, tips[at] ?? new Map()]));
  const unknown = untracked(good, index.entries, tipOf);
  const foreign = await foreignAmong(cwd, unknown);
  const ignored = await ignoredAmong(
    scene,
    unknown.filter((key) => !foreign.has(key)),
  );
  const content = await contentOf(scene, good, {
    unread: new Set([...ignored, ...foreign.keys()]),
    index: index.entries,
    pins,
  });
  const skipped = await skippedAmong(scene, good);
  const round = new Set<string>();
  const sources = { scene, staged, index, pins: [...pins], round, tipOf, content, ignored, foreign, skipped };
  const answers: (CommitPayload | Error)[] = [];
  for (const item of wanted) {
    const answer = item instanceof Error ? item : await asValue(() => changesOf(item, sources));
    answers.push(answer);
    // The next request of this round builds on this one.
    if (item instanceof Error || answer instanceof Error) continue;
    sources.pins.push({ id: item.request.id, payload: answer });
    round.add(item.request.id);
  }
  return answers;
}

async function stagedChanges(scene: Scene): Promise<readonly EntryChange[]> {
  const { git } = scene.deps;
  const cwd = scene.repository.topLevel;
  const head =
    scene.worktree.head ??
    (await git.must(cwd, ["hash-object", "-t", "tree", "--stdin"], { input: "" })).toString().trim();
  const args = [
    "diff-index",
    "--cached",
    "--raw",
    "-z",
    "--no-renames",
    "--no-abbrev",
    "--ita-invisible-in-index",
    head,
    "--",
  ];
  return parseRawDiff(await git.must(cwd, args));
}

function untracked(
  wanted: readonly Wanted[],
  index: ReadonlyMap<PathKey, unknown>,
  tips: ReadonlyMap<string, ReadonlyMap<PathKey, unknown>>,
): readonly PathKey[] {
  return wanted.flatMap(({ files, branch }) =>
    [...(files ?? [])].flatMap(([key, disk]) =>
      (disk.kind === "file" || disk.kind === "link") && !index.has(key) && !tips.get(branch)?.has(key)
        ? [key]
        : [],
    ),
  );
}

/** Why a path is another repository's, by path. */
async function foreignAmong(
  topLevel: string,
  paths: readonly PathKey[],
): Promise<ReadonlyMap<PathKey, string>> {
  const found = await Promise.all(
    paths.map(async (path) => [path, await nestedRepository(topLevel, textOf(path))] as const),
  );
  return new Map(
    found.flatMap(([path, nested]) => {
      if (!nested) return [];
      const kind = nested.submodule ? "submodule" : "repository";
      return [[path, `lies in the ${kind} ${shown(nested.folder)}; queue it from there`] as const];
    }),
  );
}

async function ignoredAmong(scene: Scene, paths: readonly PathKey[]): Promise<ReadonlySet<PathKey>> {
  if (paths.length === 0) return new Set();
  // check-ignore knows no literal names; behind ./ no name is magic.
  const input = Buffer.from(paths.map((path) => `./${path}\0`).join(""), "latin1");
  const end = await scene.deps.git.run(scene.repository.topLevel, ["check-ignore", "-z", "--stdin"], {
    input,
  });
  // 1: none is ignored.
  if (end.exitCode !== 0 && end.exitCode !== 1) {
    throw new InputError(
      "files",
      `git could not tell which files are ignored: ${end.stderr.trim()}`,
      "git-failed",
    );
  }
  return new Set(
    end.stdout
      .toString("latin1")
      .split("\0")
      .filter((path) => path !== "")
      .map((path) => path.slice("./".length)),
  );
}

/** Paths that are only missing on disk because a sparse checkout leaves them out. */
async function skippedAmong(scene: Scene, wanted: readonly Wanted[]): Promise<ReadonlySet<PathKey>> {
  const missing = wanted.some(({ files }) =>
    [...(files?.values() ?? [])].some(({ kind }) => kind === "absent"),
  );
  if (!missing || !scene.config.flag("core.sparsecheckout", false)) return new Set();
  const output = (
    await scene.deps.git.must(scene.repository.topLevel, ["ls-files", "--full-name", "-t", "-z"])
  ).toString("latin1");
  return new Set(
    output
      .split("\0")
      .filter((line) => line.startsWith("S "))
      .map((line) => line.slice(2)),
  );
}

const pinsOf = (refs: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map(
    [...refs].filter(([ref]) => ref.startsWith(`${pinPrefix}/`)).map(([ref, oid]) => [pinnedId(ref), oid]),
  );

/** Expected refusals as values, so that one bad request does not take the others with it. */
async function asValue<T>(make: () => Promise<T>): Promise<T | Error> {
  try {
    return await make();
  } catch (error) {
    return error instanceof Error ? error : new Error(shown(String(error)));
  }
}
