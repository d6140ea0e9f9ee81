import type { StoredOperation } from "../core/operation.ts";
import { isFinal } from "../core/operation.ts";
import { SUBMODULE } from "./entries.ts";
import type { Entry } from "./entries.ts";
import { durably } from "./hash.ts";
import { parsePayload } from "./payload.ts";
import type { CommitPayload } from "./payload.ts";
import { moveRefs, readRefs } from "./refs.ts";
import type { GitRunner } from "./runner.ts";

const PREFIX = "refs/batch-control/pin/";
const pinRef = (operation: string): string => `${PREFIX}${operation}`;
export const pinPrefix = PREFIX.slice(0, -1);
export const pinnedId = (ref: string): string => ref.slice(PREFIX.length);

export interface Pin {
  readonly operation: string;
  /** What must not be collected; submodule entries are commits of another repository and not held. */
  readonly entries: readonly Entry[];
}

/** Holds the entries of each operation in a tree of its own under its pin ref: two processes for any number. Answers the trees. */
export async function writePins(
  git: GitRunner,
  cwd: string,
  pins: readonly Pin[],
): Promise<readonly string[]> {
  if (pins.length === 0) return [];
  const trees = pins.map(({ entries }) => {
    const blobs = [...new Set(entries.filter(({ mode }) => mode !== SUBMODULE).map(({ oid }) => oid))];
    return `${blobs.map((oid) => `100644 blob ${oid}\t${oid}\0`).join("")}\0`;
  });
  const output = await git.must(cwd, [...durably, "mktree", "-z", "--batch"], { input: trees.join("") });
  const oids = output
    .toString("latin1")
    .split("\n")
    .filter((line) => line !== "");
  if (oids.length !== pins.length) throw new Error("git mktree answered too few trees");
  const moves = pins.map(({ operation }, index) => ({ ref: pinRef(operation), next: oids[index] ?? "" }));
  await moveRefs(git, cwd, moves, "batch-control: pin");
  return oids;
}

/** Lets go of those that are there. */
export async function dropPins(git: GitRunner, cwd: string, operations: Iterable<string>): Promise<void> {
  const present = await readRefs(git, cwd, pinPrefix);
  const moves = [...operations]
    .map(pinRef)
    .filter((ref) => present.has(ref))
    .map((ref) => ({ ref }));
  await moveRefs(git, cwd, moves, "batch-control: unpin");
}

/** Operations that were accepted but whose journal entry may still be on its way. */
const GRACE_MS = 60_000;

export interface OpenCommit {
  readonly id: string;
  readonly payload: CommitPayload;
}

/** The commits that hold pins, in order of acceptance. Each payload is read from the journal once per pinned content. */
export class OpenCommits {
  readonly #lookUp: (id: string) => Promise<StoredOperation | undefined>;
  readonly #now: () => number;
  readonly #known = new Map<
    string,
    { readonly pin: string; readonly payload: CommitPayload; readonly since: number }
  >();

  constructor(lookUp: (id: string) => Promise<StoredOperation | undefined>, now: () => number) {
    this.#lookUp = lookUp;
    this.#now = now;
  }

  accepted(id: string, pin: string, payload: CommitPayload): void {
    this.#known.set(id, { pin, payload, since: this.#now() });
  }

  /** As far as this window has seen them. */
  all(): readonly OpenCommit[] {
    return [...this.#known].map(([id, { payload }]) => ({ id, payload }));
  }

  /** `pins`: the pinned trees by operation id. */
  async list(pins: ReadonlyMap<string, string>): Promise<readonly OpenCommit[]> {
    for (const id of this.#known.keys()) if (!pins.has(id)) this.#known.delete(id);
    const found = await Promise.all([...pins.keys()].sort().map((id) => this.#one(id, pins.get(id) ?? "")));
    return found.filter((item) => item !== undefined);
  }

  /** Asked only where something depends on it: a pin may outlive its operation for a moment. */
  async isOpen(id: string): Promise<boolean> {
    const stored = await this.#lookUp(id);
    if (stored) return !isFinal(stored.status);
    return this.#now() - (this.#known.get(id)?.since ?? 0) < GRACE_MS;
  }

  async #one(id: string, pin: string): Promise<OpenCommit | undefined> {
    const known = this.#known.get(id);
    if (known?.pin === pin) return { id, payload: known.payload };
    const stored = await this.#lookUp(id);
    if (!stored) return undefined;
    const payload = parsePayload(stored.payload);
    if (payload.kind !== "commit") return undefined;
    this.#known.set(id, { pin, payload, since: 0 });
    return { id, payload };
  }
}
