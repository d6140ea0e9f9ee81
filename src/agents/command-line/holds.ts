import type { AnsweredHold, AnsweredOperation } from "./answers.ts";
import { oneLine } from "./answers.ts";

/** Whether a hold stops an operation until somebody mends something. One that ends by itself does not. */
export function stops({ kind, lane, until }: AnsweredHold, operation: AnsweredOperation): boolean {
  const side = operation.kind === "request" ? "llm" : "git";
  if (kind !== side || until !== undefined) return false;
  const { group } = operation;
  if (lane === undefined || group === undefined || lane === group) return true;
  // A provider's lane begins its groups' names; a repository's folder may lie in that of another.
  return side === "llm" && group.startsWith(`${lane}/`);
}

/** What a hold means and what mends it. Where no window may execute something, the reason is the sentence that says so. */
export function explained({ kind, reason }: AnsweredHold): string {
  if (reason === "no-key") return "No API key is set. Set one in VS Code.";
  if (reason.includes(" ")) return oneLine(reason);
  return `What is queued for ${kind} is held (${oneLine(reason)}). The panel of Batch Control in VS Code says what to do.`;
}
