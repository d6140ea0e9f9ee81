import type { Effect } from "../../../src/core/effect.ts";
import type { Journal } from "../../../src/core/journal.ts";
import type { Kill, Step } from "./orders.ts";
import { steps } from "./orders.ts";

export interface MortalJournalDeps {
  readonly journal: Journal;
  readonly kill: Kill | undefined;
  /** Does not return. `noted`: the journal knows the process that works on what is in flight. */
  readonly die: (noted: boolean) => void;
  readonly reconciles: boolean;
}

type Verb = (...args: readonly unknown[]) => Promise<unknown>;

/** The same journal in a process that ends at one of its steps. */
export function mortalJournal({ journal, kill, die, reconciles }: MortalJournalDeps): Journal {
  const calls = new Map<Step, number>();
  const own = new Set<string>();
  let intents = 0;
  let flying: NodeJS.Timeout | undefined;
  let noted = false;

  const takeOff = (): void => {
    intents += 1;
    if (kill?.kind === "flight" && intents >= kill.nth) flying ??= setTimeout(() => die(noted), kill.afterMs);
  };
  const at = (step: Step, when: "before" | "after", nth: number): void => {
    if (kill?.kind === "step" && kill.step === step && kill.when === when && kill.nth === nth) die(false);
  };
  const watched =
    (step: Step, verb: Verb): Verb =>
    async (...args) => {
      const nth = (calls.get(step) ?? 0) + 1;
      calls.set(step, nth);
      at(step, "before", nth);
      if (step === "recordOutcome" && flying !== undefined && hasEffect(args[2])) die(noted);
      const answer = await verb(...args);
      if (step === "recordStart") noted = true;
      if (step === "recordIntent") {
        noted = false;
        own.add(`${String(args[1])} ${numberOf(answer)}`);
        takeOff();
      }
      at(step, "after", nth);
      return answer;
    };
  const effects = async (batch: string): Promise<readonly Effect[]> =>
    (await journal.effects(batch)).filter(({ n }) => reconciles || own.has(`${batch} ${n}`));

  const isStep = (name: unknown): name is Step => steps.some((step) => step === name);
  return new Proxy(journal, {
    get(target, name) {
      if (name === "effects") return effects;
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      const verb = value.bind(target) as Verb;
      return isStep(name) ? watched(name, verb) : verb;
    },
  });
}

const hasEffect = (outcome: unknown): boolean =>
  typeof outcome === "object" && outcome !== null && "effect" in outcome;

/** The number that `recordIntent` gave. */
const numberOf = (answer: unknown): string =>
  typeof answer === "object" && answer !== null && "value" in answer ? String(answer.value) : "";
