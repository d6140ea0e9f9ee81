import type { Translate } from "../l10n.ts";
import type { PushChoice } from "../parts.ts";
import type { Choice } from "./ask.ts";

/** Branches to push: those with something to push first, each side in the order given. `queued`: something queued goes onto them. */
export function branchesToPush(
  choices: readonly PushChoice[],
  queued: ReadonlySet<string>,
  t: Translate,
  count: (value: number) => string,
): readonly Choice<string>[] {
  const rank = (choice: PushChoice): number => {
    if (queued.has(choice.branch)) return 0;
    return { absent: 0, ahead: 0, same: 1, unborn: 2 }[choice.state];
  };
  return choices
    .toSorted((one, other) => rank(one) - rank(other))
    .map((choice) => ({
      label: choice.branch,
      description: wordsOf(choice, queued.has(choice.branch), t, count),
      value: choice.branch,
    }));
}

/** A push of it would be refused. */
export const isUnborn = (
  choices: readonly PushChoice[],
  queued: ReadonlySet<string>,
  branch: string,
): boolean =>
  !queued.has(branch) && choices.some((choice) => choice.branch === branch && choice.state === "unborn");

function wordsOf(
  { state, commits }: PushChoice,
  isQueued: boolean,
  t: Translate,
  count: (value: number) => string,
): string {
  if (isQueued) return t("what is queued for it is pushed with it");
  switch (state) {
    case "unborn":
      return t("no commits yet");
    case "absent":
      return t("not on the remote yet");
    case "ahead":
      return commits === undefined ? t("differs from the remote") : t("commits to push: {0}", count(commits));
    case "same":
      return t("nothing to push");
  }
}
