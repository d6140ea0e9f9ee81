import type { Translate } from "../l10n.ts";
import { planChanges } from "./changes.ts";
import type { Plan, PlanDeps } from "./changes.ts";
import { proposalsOf } from "./proposals.ts";

/** `reason`: why the answer did not come to its own end, as its result has it; absent where it did. */
interface Answer {
  readonly text: string;
  readonly reason?: string | undefined;
}

/** What an answer would make of files. Of one that did not come to its own end, only what it closed; the rest is refused. */
export async function planAnswer({ text, reason }: Answer, deps: PlanDeps): Promise<Plan> {
  const { subject, read, t } = deps;
  const isComplete = reason === undefined;
  const original = subject && isComplete ? await read(subject.path).catch(() => undefined) : undefined;
  const plan = await planChanges(proposalsOf(text, original, isComplete), deps);
  if (isComplete) return plan;
  const rest = { name: t("what the answer did not close"), reason: whyIncomplete(reason, t) };
  return { ...plan, refused: [...plan.refused, rest] };
}

/**
 * Whether an answer holds anything that files could be made of; none of them is read but `original`, the file that the request
 * was about, and only where the answer may be that file anew.
 */
export async function holdsFiles(
  { text, reason }: Answer,
  original: () => Promise<string | undefined>,
): Promise<boolean> {
  const isComplete = reason === undefined;
  const holds = (file: string | undefined): boolean =>
    proposalsOf(text, file, isComplete).some(({ kind }) => kind !== "unreadable");
  return holds(undefined) || (isComplete && holds(await original()));
}

function whyIncomplete(reason: string, t: Translate): string {
  switch (reason) {
    case "cut":
      return t("the answer was cut off at its limit, so the end of a file may be missing");
    case "refused":
      return t("the model declined to go on, so the end of a file may be missing");
    default:
      return t("the model stopped before the answer was finished, so the end of a file may be missing");
  }
}
