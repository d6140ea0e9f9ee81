import { InputError } from "../core/errors.ts";
import { shown } from "./files.ts";
import { headRef, shortName } from "./refs.ts";
import type { Worktree } from "./repository.ts";

const MAX_CHOICES = 20;
/** What there is to choose from, as the end of a message. */
export function choices(names: Iterable<string>): string {
  const all = [...names].map(shown).sort();
  if (all.length === 0) return "there are none";
  if (all.length === 1) return `there is only ${all.join("")}`;
  const listed = all.slice(0, MAX_CHOICES);
  const more = all.length - listed.length;
  const last = more > 0 ? `${more} more` : listed.pop();
  return `there are ${listed.join(", ")} and ${last}`;
}

const MAX_NAME_BYTES = 1024;
/** What `git check-ref-format` refuses, checked here so that no process ever sees such a name. */
export function checkName(field: string, name: string): void {
  const why = flawOf(name);
  if (why !== undefined)
    throw new InputError(
      field,
      `${shown(name)} is not a valid name in git: it ${why}; give a name as git lists it`,
      "invalid-name",
    );
}

function flawOf(name: string): string | undefined {
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) return `is longer than ${MAX_NAME_BYTES} bytes`;
  if (/\p{Cc}/u.test(name)) return "holds a control character";
  const special = /[ ~^:?*[\\]|\.\.|@\{|\/\//.exec(name)?.[0];
  if (special !== undefined) return `holds ${special === " " ? "a space" : special}`;
  if (/^\/|\/$|\.$|^@$/.test(name) || name.split("/").some((part) => /^\.|\.lock$/.test(part)))
    return "has a part that begins with a dot, ends with .lock or a dot, or is empty";
  return undefined;
}

/** The full name of an existing local branch. */
export function existingBranch(field: string, name: string, refs: ReadonlyMap<string, string>): string {
  checkName(field, name);
  const ref = headRef(name);
  if (refs.has(ref)) return ref;
  const names = [...refs.keys()].filter((key) => key.startsWith("refs/heads/")).map(shortName);
  throw new InputError(field, `there is no branch ${shown(name)}; ${choices(names)}`, "unknown-branch");
}

/** The branch meant by an input: the one named, else what is checked out in the worktree (it may be unborn). */
export function branchOf(
  worktree: Worktree,
  name: string | undefined,
  refs: ReadonlyMap<string, string>,
): string {
  if (name === undefined) {
    if (worktree.branch !== undefined) return worktree.branch;
    throw new InputError(
      "branch",
      `${worktree.path} has a detached HEAD${during(worktree)}; check out a branch or name one`,
      "detached-head",
    );
  }
  checkName("branch", name);
  if (headRef(name) === worktree.branch) return worktree.branch;
  return existingBranch("branch", name, refs);
}

const during = (worktree: Worktree): string =>
  worktree.busy ? ` (${worktree.busy.activity} in progress)` : "";

/** Why nothing may be committed to or merged into this branch now, if so. */
export function heldBy(branch: string, worktrees: readonly Worktree[]): string | undefined {
  const holder = worktrees.find(
    ({ busy, branch: out }) => busy && (busy.branch === branch || out === branch),
  );
  return (
    holder?.busy &&
    `${shortName(branch)} is held by a ${holder.busy.activity} in ${holder.path}; finish or abort that first`
  );
}
