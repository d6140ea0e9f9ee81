import type { FromPanel, ToPanel } from "../protocol.ts";
import type { Translate } from "./l10n.ts";
import { toldBatches } from "./panel/told-snapshot.ts";
import type { Parts } from "./parts.ts";

const PAGE = 100;

/** The page of finished batches that follows what the panel has of each side. */
export async function olderBatches(
  journal: Pick<Parts["journal"], "executed">,
  after: (FromPanel & { kind: "older" })["after"],
  t: Translate,
): Promise<(ToPanel & { kind: "older" })["batches"]> {
  const page = (side: "git" | "llm"): ReturnType<typeof journal.executed> => {
    const last = after[side];
    return last === undefined ? Promise.resolve([]) : journal.executed({ side, limit: PAGE, after: last });
  };
  const [git, llm] = await Promise.all([page("git"), page("llm")]);
  return { git: toldBatches(git, t), llm: toldBatches(llm, t) };
}
