import { dependencyFailure } from "./dependencies.ts";
import type { Dependency } from "./dependencies.ts";
import { FOLDER, same, textOf, treeEntries } from "./entries.ts";
import type { Entry, PathKey } from "./entries.ts";
import { shown } from "./files.ts";
import { branchGone, mayBegin } from "./branch-gone.ts";
import type { Failure } from "./git-error.ts";
import { orUndefined, pathOf } from "./payload.ts";
import type { CommitOperation } from "./payload.ts";
import { shortName } from "./refs.ts";
import type { Rewrites } from "./rewrites.ts";
import type { GitRunner } from "./runner.ts";

const AGAIN = "queue it again from the worktree";

/** What a branch holds at the paths that a batch's commits touch, moving on with each commit. */
export class BranchContent {
  readonly #branch: string;
  readonly #entries: Map<PathKey, Entry>;
  /** It has a commit. */
  #born: boolean;

  static async read(
    git: GitRunner,
    cwd: string,
    branch: string,
    tip: string | undefined,
    operations: readonly CommitOperation[],
  ): Promise<BranchContent> {
    if (tip === undefined) return new BranchContent(branch, new Map(), false);
    const paths = new Set(operations.flatMap(({ changes }) => changes.map(pathOf)));
    const entries = new Map(await treeEntries(git, cwd, tip, [...paths, ...foldersOf(paths)]));
    for (const [path, { mode, oid }] of [...entries]) {
      if (mode !== FOLDER) continue;
      entries.delete(path);
      // A file shall take the folder's place: what lies in it matters.
      if (paths.has(path))
        for (const [inner, entry] of await allEntries(git, cwd, oid)) entries.set(`${path}/${inner}`, entry);
    }
    return new BranchContent(branch, entries, true);
  }

  private constructor(branch: string, entries: Map<PathKey, Entry>, born: boolean) {
    this.#branch = branch;
    this.#entries = entries;
    this.#born = born;
  }

  get(path: PathKey): Entry | undefined {
    return this.#entries.get(path);
  }

  /**
   * Why this commit may not be made on the branch as it is: it would undo what it was not made from, or change nothing.
   * `lost`: commits that came to nothing, of which this one may be made.
   */
  check(
    operation: CommitOperation,
    lost: ReadonlyMap<string, Dependency>,
    rewrites: Rewrites = new Map(),
  ): Failure | undefined {
    if (!this.#born && !mayBegin(operation)) return branchGone(this.#branch);
    const { changes, allowEmpty } = operation;
    const branch = shortName(this.#branch);
    const changed = changes.find((change) => {
      const tip = this.get(pathOf(change));
      const rewrite = rewrites.get(pathOf(change));
      const base = orUndefined(change.base);
      return !same(tip, base) && !(rewrite && same(rewrite.from, base) && same(rewrite.to, tip));
    });
    if (changed) {
      const basis = changed.after === undefined ? undefined : lost.get(changed.after);
      if (basis) {
        const failure = dependencyFailure(basis);
        return { ...failure, error: `${failure.error}; ${AGAIN}` };
      }
      const error = `${shown(changed.path)} changed on ${branch} since it was queued; ${AGAIN}`;
      return { reason: "changed", error, detail: { changedPath: changed.path } };
    }
    const deleted = new Set(changes.filter(({ now }) => !now).map(pathOf));
    for (const change of changes) {
      const lost = change.now ? this.#displaced(pathOf(change), deleted) : undefined;
      if (lost === undefined) continue;
      const error = `${shown(change.path)} would take the place of ${shown(textOf(lost))} on ${branch}; name that too`;
      return { reason: "changed", error };
    }
    if (!allowEmpty && changes.every(({ now, base }) => same(orUndefined(now), orUndefined(base)))) {
      return { reason: "nothing-to-commit", error: "nothing to commit" };
    }
    return undefined;
  }

  /** What a commit made of it. */
  apply(changes: Iterable<readonly [PathKey, Entry | undefined]>): void {
    this.#born = true;
    for (const [path, entry] of changes) {
      if (entry) this.#entries.set(path, entry);
      else this.#entries.delete(path);
    }
  }

  /** A file that has to go when `path` becomes a file, without being deleted by the same commit. */
  #displaced(path: PathKey, deleted: ReadonlySet<PathKey>): PathKey | undefined {
    for (const folder of foldersOf([path]))
      if (this.#entries.has(folder) && !deleted.has(folder)) return folder;
    if (this.#entries.has(path)) return undefined;
    for (const other of this.#entries.keys())
      if (other.startsWith(`${path}/`) && !deleted.has(other)) return other;
    return undefined;
  }
}

function foldersOf(paths: Iterable<PathKey>): ReadonlySet<PathKey> {
  const folders = new Set<PathKey>();
  for (const path of paths) {
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const folder = path.slice(0, at);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}

async function allEntries(git: GitRunner, cwd: string, tree: string): Promise<ReadonlyMap<PathKey, Entry>> {
  const entries = new Map<PathKey, Entry>();
  const output = (await git.must(cwd, ["ls-tree", "-r", "-z", "--full-tree", tree])).toString("latin1");
  for (const record of output.split("\0")) {
    const tab = record.indexOf("\t");
    const path = record.slice(tab + 1);
    const [mode, , oid] = record.slice(0, tab).split(" ");
    if (tab > 0 && mode !== undefined && oid !== undefined) entries.set(path, { mode, oid });
  }
  return entries;
}
