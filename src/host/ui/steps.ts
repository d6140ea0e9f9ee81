/** Chosen with the back button of a question. */
export const back = Symbol("back");
export type Back = typeof back;

export interface Frame {
  readonly title: string;
  readonly canGoBack: boolean;
}

/** One question. `skipped`: it answered itself, so that going back passes over it. */
export type Step = (frame: Frame) => Promise<Back | "asked" | "skipped">;

/** Asks one question after the other; going back repeats the one shown before. Rejects as a step does. */
export async function runSteps(title: string, steps: readonly Step[]): Promise<void> {
  const shown: number[] = [];
  let at = 0;
  for (let step = steps[at]; step; step = steps[at]) {
    const answer = await step({ title, canGoBack: shown.length > 0 });
    if (answer === back) {
      at = shown.pop() ?? 0;
      continue;
    }
    if (answer === "asked") shown.push(at);
    at += 1;
  }
}
