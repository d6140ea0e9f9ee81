import { parsePatch } from "diff";
import type { StructuredPatch } from "diff";
import { pathOfFence } from "./fence-path.ts";
import { fencesOf, isDiff } from "./fences.ts";
import type { Fence } from "./fences.ts";

/** What an answer would make of one file. Paths are as the answer has them: not to be trusted. */
export type Proposal =
  | { readonly kind: "content"; readonly path: string; readonly text: string }
  /** New content of the file that the request was about. */
  | { readonly kind: "subject"; readonly text: string }
  /** `makes`: a new file, none any more, or another text of one that is there. */
  | {
      readonly kind: "patch";
      readonly path: string;
      readonly makes: "file" | "nothing" | "text";
      readonly patch: StructuredPatch;
    }
  /** `path` is absent where it is about the file of the request. */
  | { readonly kind: "unreadable"; readonly path?: string; readonly reason: Unreadable };

/** Why what an answer has for a file cannot be read. */
export type Unreadable = "bad-diff" | "rename" | "binary" | "mode" | "nested" | "unclosed";

/**
 * The files that an answer holds: named blocks, unified diffs, or, where the request was about one file (`original`: its
 * text), that file anew. Prose about code is none of these. Of an answer that did not come to its own end (`isComplete`),
 * only what it closed counts, for the rest may lack its end.
 */
export function proposalsOf(
  answer: string,
  original: string | undefined,
  isComplete = true,
): readonly Proposal[] {
  const fences = fencesOf(answer, isComplete);
  const found = fences.flatMap((fence) => ofFence(fence, isComplete));
  if (found.length > 0 || !isComplete) return found;
  const [only] = fences;
  if (only && original !== undefined) {
    const wraps = only.end === "unsure" && /^\s*(?:`{3}|~{3})/.test(answer);
    if (wraps) return [{ kind: "unreadable", reason: "nested" }];
    return only.alone ? [{ kind: "subject", text: only.text }] : [];
  }
  if (only) return [];
  const diff = /^(?:diff --git |--- \S.*\r?\n\+\+\+ \S)/m.exec(answer);
  if (diff) return patchesOf(answer.slice(diff.index));
  return original !== undefined && resembles(answer, original)
    ? [{ kind: "subject", text: `${answer.trimEnd()}\n` }]
    : [];
}

function ofFence(fence: Fence, isComplete: boolean): readonly Proposal[] {
  const path = pathOfFence(fence);
  const proposals: readonly Proposal[] = isDiff(fence)
    ? patchesOf(fence.text)
    : path === undefined
      ? []
      : [{ kind: "content", path, text: fence.text }];
  if (fence.end === "sure") return proposals;
  // What it holds may be half of it, so no more than the names are taken.
  const reason = fence.end === "unsure" ? "nested" : "unclosed";
  return reason === "nested" || isComplete ? proposals.flatMap((each) => unreadable(each, reason)) : [];
}

const unreadable = (proposal: Proposal, reason: Unreadable): readonly Proposal[] =>
  proposal.kind === "subject" || proposal.path === undefined
    ? []
    : [{ kind: "unreadable", path: proposal.path, reason }];

function patchesOf(text: string): readonly Proposal[] {
  let patches: readonly StructuredPatch[];
  try {
    patches = parsePatch(text);
  } catch {
    return [{ kind: "unreadable", path: /^\+\+\+ (?:b\/)?(\S+)/m.exec(text)?.[1] ?? "", reason: "bad-diff" }];
  }
  return patches.flatMap((patch) => patchProposal(patch) ?? []);
}

/** The other side of a file that a diff makes or deletes. */
const NOWHERE = "/dev/null";

function patchProposal(patch: StructuredPatch): Proposal | undefined {
  const { oldFileName: old, newFileName: made } = patch;
  const name = made !== undefined && made !== NOWHERE ? made : old;
  if (name === undefined || name === NOWHERE) return undefined;
  const path = /^[ab]\//.test(name) ? name.slice(2) : name;
  if (patch.isRename || patch.isCopy) return { kind: "unreadable", path, reason: "rename" };
  if (patch.isBinary) return { kind: "unreadable", path, reason: "binary" };
  if (made === NOWHERE || patch.isDelete) return { kind: "patch", path, makes: "nothing", patch };
  if (old === NOWHERE || patch.isCreate) return { kind: "patch", path, makes: "file", patch };
  if (patch.hunks.length > 0) return { kind: "patch", path, makes: "text", patch };
  return { kind: "unreadable", path, reason: patch.newMode === undefined ? "bad-diff" : "mode" };
}

const SHARED = 0.5;

/** At least half of the lines stood in the file before, so this is the file and no text about it. */
function resembles(answer: string, original: string): boolean {
  const linesOf = (text: string): string[] => text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const known = new Set(linesOf(original));
  const lines = linesOf(answer);
  const shared = lines.filter((line) => known.has(line)).length;
  return lines.length > 0 && shared / lines.length >= SHARED;
}
