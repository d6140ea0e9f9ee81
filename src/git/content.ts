import type { Scene } from "./accept-context.ts";
import { previousCommits } from "./changes.ts";
import type { Wanted } from "./changes.ts";
import type { Entry, PathKey } from "./entries.ts";
import { hashFiles, hashTexts } from "./hash.ts";
import { idsWithKeptLineEnds } from "./line-ends.ts";
import type { OpenCommit } from "./pins.ts";

interface Surroundings {
  readonly unread: ReadonlySet<PathKey>;
  readonly index: ReadonlyMap<PathKey, Entry>;
  /** Open commits in order of acceptance. */
  readonly pins: readonly OpenCommit[];
}

interface EntriesBefore {
  readonly indexed: ReadonlyMap<PathKey, Entry>;
  readonly queued: ReadonlyMap<PathKey, Entry>;
}

/** What the index holds at the files' paths, and what it will hold where an open commit that was queued before sets them. */
async function entriesBefore(
  scene: Scene,
  wanted: readonly Wanted[],
  index: ReadonlyMap<PathKey, Entry>,
  pins: readonly OpenCommit[],
): Promise<EntriesBefore> {
  const indexed = new Map(index);
  const queued = new Map<PathKey, Entry>();
  for (const { request, branch, files } of wanted) {
    if (!files || pins.length === 0) continue;
    const previous = previousCommits(pins, branch, scene.repository.commonDir, request.instead);
    for (const key of files.keys()) {
      const earlier = previous.get(key);
      if (!earlier || !(await scene.open.isOpen(earlier.id))) continue;
      indexed.delete(key);
      if (earlier.entry) queued.set(key, earlier.entry);
    }
  }
  return { indexed, queued };
}

/** Object ids of everything on disk that the requests name; what will be refused is not read. */
export async function contentOf(
  scene: Scene,
  wanted: readonly Wanted[],
  { unread, index, pins }: Surroundings,
): Promise<ReadonlyMap<PathKey, string>> {
  const { indexed, queued } = await entriesBefore(scene, wanted, index, pins);
  const { git } = scene.deps;
  const cwd = scene.repository.topLevel;
  const place = { commonDir: scene.repository.commonDir, cwd };
  const files = new Set<PathKey>();
  const links = new Map<PathKey, Buffer>();
  for (const { files: named } of wanted) {
    for (const [key, disk] of named ?? []) {
      if (unread.has(key)) continue;
      if (disk.kind === "file") files.add(key);
      if (disk.kind === "link") links.set(key, disk.text);
    }
  }
  const filesOf = (entries: ReadonlyMap<PathKey, Entry>): ReadonlyMap<PathKey, Entry> =>
    new Map([...entries].filter(([key, { mode }]) => files.has(key) && mode.startsWith("100")));
  const [fileIds, linkIds, kept] = await Promise.all([
    hashFiles(git, place, [...files]),
    hashTexts(git, place, [...links.values()]),
    idsWithKeptLineEnds(git, cwd, filesOf(indexed), filesOf(queued)),
  ]);
  return new Map([
    ...[...files].map((key, at): [PathKey, string] => [key, fileIds[at] ?? ""]),
    ...[...links.keys()].map((key, at): [PathKey, string] => [key, linkIds[at] ?? ""]),
    ...kept,
  ]);
}
