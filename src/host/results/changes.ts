import { wayInto } from "../inside.ts";
import type { Translate } from "../l10n.ts";
import { errorText } from "../reason-words.ts";
import { fitPatch } from "./fit-patch.ts";
import { nameIn } from "../folder-names.ts";
import { withLineEnds } from "./line-ends.ts";
import type { Proposal } from "./proposals.ts";
import { pathRefusalText, unreadableText } from "./refusal-words.ts";
import { resolveInside } from "./safe-path.ts";
import { visibleName } from "./visible-name.ts";

/** What one file would become. `after` is absent where it would be deleted, `before` where it does not exist yet. */
export interface Change {
  /** Absolute. */
  readonly path: string;
  /** As a person would name it, and no other file of this window is named: relative to its folder, with `/`. */
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

/**
 * Works out what files would become. Whatever cannot be done safely is refused with a reason, and nothing is written. Of what
 * an answer has for one file, all is taken or nothing.
 */
export async function planChanges(proposals: readonly Proposal[], deps: PlanDeps): Promise<Plan> {
  const changes = new Map<string, Change>();
  const spoilt = new Set<string>();
  const refused: Refused[] = [];
  for (const proposal of withoutRepeats(proposals)) {
    const place = await placeOf(proposal, deps);
    if (place.kind === "inside" && spoilt.has(place.path)) continue;
    try {
      const change = await changeOf(proposal, place, changes, deps);
      changes.set(change.path, change);
    } catch (error) {
      refused.push({ name: visibleName(place.name), reason: errorText(error, deps.t) });
      if (place.kind === "inside") spoilt.add(place.path);
    }
  }
  const whole = [...changes.values()].filter(({ path }) => !spoilt.has(path));
  return { changes: whole.filter(({ before, after }) => before !== after), refused };
}

/** Said twice is said once. */
const withoutRepeats = (proposals: readonly Proposal[]): readonly Proposal[] => [
  ...new Map(proposals.map((each) => [JSON.stringify(each), each])).values(),
];

type Place =
  | { readonly kind: "inside"; readonly path: string; readonly name: string }
  /** `name`: as the answer has it. */
  | { readonly kind: "refused"; readonly why: string; readonly name: string };

async function placeOf(proposal: Proposal, { folders, subject, t }: PlanDeps): Promise<Place> {
  const path = proposal.kind === "subject" ? undefined : proposal.path;
  const said = path ?? (subject && wayInto(subject.folder, subject.path));
  if (said === undefined)
    return { kind: "refused", name: "", why: t("the file of this request is not in an open folder") };
  const found = await resolveInside(said, folders, subject?.folder);
  return found.kind === "refused"
    ? { kind: "refused", name: said, why: pathRefusalText(found.reason, t) }
    : { kind: "inside", path: found.path, name: nameIn(folders, found.path) };
}

async function changeOf(
  proposal: Proposal,
  place: Place,
  changes: ReadonlyMap<string, Change>,
  { read, t }: PlanDeps,
): Promise<Change> {
  if (proposal.kind === "unreadable") throw new Error(unreadableText(proposal.reason, t));
  if (place.kind === "refused") throw new Error(place.why);
  const { path, name } = place;
  const earlier = changes.get(path);
  const before = earlier ? earlier.before : await read(path);
  const now = earlier ? earlier.after : before;
  const base = { path, name, ...(before === undefined ? {} : { before }) };
  switch (proposal.kind) {
    case "patch": {
      const { makes, patch } = proposal;
      if (makes === "nothing" && now === undefined) throw new Error(t("there is no such file to delete"));
      if (makes === "file" && now !== undefined)
        throw new Error(t("the diff makes a new file, but there is one already"));
      const after = fitPatch(now ?? "", patch);
      // A deletion says what the file held; one that holds more is another file.
      if (after === undefined || (makes === "nothing" && after !== ""))
        throw new Error(t("the diff does not fit the file as it is now"));
      return makes === "nothing" ? base : { ...base, after };
    }
    case "content":
    case "subject": {
      const after = withLineEnds(proposal.text, now);
      if (earlier && earlier.after !== after)
        throw new Error(t("the answer has it more than once, and not the same"));
      return { ...base, after };
    }
  }
}
