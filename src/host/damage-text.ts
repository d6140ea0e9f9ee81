import type { OpenedJournal } from "../journal/sqlite/open-journal.ts";
import type { Translate } from "./l10n.ts";
import { numbersIn } from "./numbers.ts";

type Damage = NonNullable<Extract<OpenedJournal, { kind: "opened" }>["report"]["damaged"]>;

/** What a person is told of a journal that was damaged: what is left of it, and what to do. */
export function damageText(
  { keptAs, rows, incomplete }: Damage,
  t: Translate,
  language: string,
): { readonly severity: "warning" | "error"; readonly message: string } {
  const [kept = ""] = keptAs;
  const operations = rows["op"] ?? 0;
  if (incomplete.length === 0)
    return {
      severity: "warning",
      message: t(
        "The journal was damaged. All of it could be read and was taken over; it was kept as {0}.",
        kept,
      ),
    };
  if (operations > 0)
    return {
      severity: "warning",
      message: t(
        "The journal was damaged. Operations that could be read and were taken over: {0}. Look whether what you had queued is there; it was kept as {1}.",
        numbersIn(language).count(operations),
        kept,
      ),
    };
  return {
    severity: "error",
    message: t(
      "The journal was damaged, and none of its operations could be read. Queue again what had waited; it was kept as {0}.",
      kept,
    ),
  };
}
