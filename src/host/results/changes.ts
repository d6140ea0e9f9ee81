import { applyPatch } from "diff";
import { relative, sep } from "node:path";
import type { Translate } from "../l10n.ts";
import { errorText } from "../reason-words.ts";
import { NOWHERE } from "./proposals.ts";
import type { Proposal } from "./proposals.ts";
import { resolveInside } from "./safe-path.ts";
import type { PathRefusal } from "./safe-path.ts";

/** What one file would become. `after` is absent where it would be deleted, `before` where it does not exist yet. */
export interface Change {
  /** Absolute. */
  readonly path: string;
  /** As a person would name it: relative to its folder, with `/`. */
  readonly name: string;
  readonly before?: string;
  readonly after?: string;
}

export interface Refused {
  readonly name: string;
  readonly reason: string;
}

export interface Plan {
  readonly changes: readonly Change[];
  readonly refused: readonly Refused[];
}

export interface PlanDeps {
  /** Absolute paths of the open folders. */
  readonly folders: readonly string[];
  /** The file that the request was about, where it lies in an open folder. */
  readonly subject?: { readonly path: string; readonly folder: string };
  /** The present text, unsaved edits included; `undefined` where there is no such file. Rejects where it is no text. */
  readonly read: (path: string) => Promise<string | undefined>;
  readonly t: Translate;
}

/** Works out what files would become. Whatever cannot be done safely is refused with a reason, and nothing is written. */
export async function planChanges(proposals: readonly Proposal[], deps: PlanDeps): Promise<Plan> {
  const changes = new Map<string, Change>();
  const refused: Refused[] = [];
  for (const proposal of proposals) {
    const name = proposal.kind === "subject" ? (deps.subject?.path ?? "") : proposal.path;
    try {
      const change = await changeOf(proposal, changes, deps);
      changes.set(change.path, change);
    } catch (error) {
      refused.push({ name, reason: errorText(error, deps.t) });
    }
  }
  return { changes: [...changes.values()].filter(({ before, after }) => before !== after), refused };
}

async function changeOf(
  proposal: Proposal,
  changes: ReadonlyMap<string, Change>,
  deps: PlanDeps,
): Promise<Change> {
  const { t } = deps;
  if (proposal.kind === "unreadable") throw new Error(unreadable(proposal.reason, t));
  const { path, root } = await placeOf(proposal, deps);
  const name = relative(root, path).split(sep).join("/");
  const earlier = changes.get(path);
  const before = earlier ? earlier.before : await deps.read(path);
  const now = earlier ? earlier.after : before;
  const base = { path, name, ...(before === undefined ? {} : { before }) };
  switch (proposal.kind) {
    case "deletion":
      if (now === undefined) throw new Error(t("there is no such file to delete"));
      return base;
    case "patch": {
      if (now !== undefined && proposal.patch.oldFileName === NOWHERE)
        throw new Error(t("the diff makes a new file, but there is one already"));
      const after = applyPatch(now ?? "", proposal.patch);
      if (after === false) throw new Error(t("the diff does not fit the file as it is now"));
      return { ...base, after };
    }
    case "content":
    case "subject":
      return { ...base, after: withLineEnds(proposal.text, now) };
  }
}

async function placeOf(
  proposal: Exclude<Proposal, { kind: "unreadable" }>,
  { folders, subject, t }: PlanDeps,
): Promise<{ readonly path: string; readonly root: string }> {
  const name =
    proposal.kind === "subject" ? subject && relative(subject.folder, subject.path) : proposal.path;
  if (name === undefined) throw new Error(t("the file of this request is not in an open folder"));
  const found = await resolveInside(name, folders, subject?.folder);
  if (found.kind === "refused") throw new Error(pathRefusal(found.reason, t));
  return found;
}

/** Answers come with `\n`; a file that has `\r\n` throughout keeps it. */
function withLineEnds(text: string, now: string | undefined): string {
  const windows = now?.includes("\r\n") && !/(?<!\r)\n/.test(now);
  return windows ? text.replace(/\r?\n/g, "\r\n") : text;
}

function unreadable(reason: "bad-diff" | "rename" | "binary", t: Translate): string {
  switch (reason) {
    case "bad-diff":
      return t("the diff is not well-formed");
    case "rename":
      return t("the diff renames or copies the file, which is not supported");
    case "binary":
      return t("the diff is of a binary file");
  }
}

function pathRefusal(reason: PathRefusal, t: Translate): string {
  switch (reason) {
    case "empty":
      return t("it names no file");
    case "absolute":
      return t("its path is absolute");
    case "climbs":
      return t("its path leaves the folder");
    case "git-folder":
      return t("it lies in a .git folder");
    case "outside":
      return t("a symbolic link on its path leads outside the folder");
    case "through-file":
      return t("a part of its path is a file, so nothing can lie below it");
    case "folder":
      return t("it is a folder, not a file");
    case "no-folder":
      return t("no folder is open");
    case "ambiguous":
      return t("it could lie in more than one of the open folders");
  }
}
