import { parsePatch } from "diff";
import type { StructuredPatch } from "diff";
import { fencesOf, pathOfFence } from "./fences.ts";

/** What an answer would make of one file. Paths are as the answer has them: not to be trusted. */
export type Proposal =
  | { readonly kind: "content"; readonly path: string; readonly text: string }
  /** New content of the file that the request was about. */
  | { readonly kind: "subject"; readonly text: string }
  | { readonly kind: "patch"; readonly path: string; readonly patch: StructuredPatch }
  | { readonly kind: "deletion"; readonly path: string }
  | { readonly kind: "unreadable"; readonly path: string; readonly reason: "bad-diff" | "rename" | "binary" };

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
  const fences = fencesOf(answer);
  const found = fences.flatMap((fence): readonly Proposal[] => {
    if (/^(?:diff|patch|udiff)$/i.test(fence.language)) return patchesOf(fence.text);
    const path = pathOfFence(fence);
    return path === undefined ? [] : [{ kind: "content", path, text: fence.text }];
  });
  if (found.length > 0 || !isComplete) return found;
  const [only] = fences;
  if (only) return only.alone && original !== undefined ? [{ kind: "subject", text: only.text }] : [];
  const diff = /^(?:diff --git |--- \S.*\r?\n\+\+\+ \S)/m.exec(answer);
  if (diff) return patchesOf(answer.slice(diff.index));
  return original !== undefined && resembles(answer, original)
    ? [{ kind: "subject", text: `${answer.trimEnd()}\n` }]
    : [];
}

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
export const NOWHERE = "/dev/null";

function patchProposal(patch: StructuredPatch): Proposal | undefined {
  const { oldFileName: old, newFileName: made } = patch;
  const name = made !== undefined && made !== NOWHERE ? made : old;
  if (name === undefined || name === NOWHERE) return undefined;
  const path = /^[ab]\//.test(name) ? name.slice(2) : name;
  if (patch.isRename || patch.isCopy) return { kind: "unreadable", path, reason: "rename" };
  if (patch.isBinary) return { kind: "unreadable", path, reason: "binary" };
  if (made === NOWHERE) return { kind: "deletion", path };
  return patch.hunks.length === 0 ? undefined : { kind: "patch", path, patch };
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
