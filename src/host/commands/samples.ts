import * as v from "valibot";
import { parseInput } from "../../core/schema/inputs.ts";
import type { DryRun } from "../prompts/dry-run.ts";
import { define } from "./command.ts";
import type { CommandTable } from "./command.ts";

const nothing = v.strictObject({});

interface Samples {
  dryRun(): Promise<DryRun>;
  /** Shows a dry run to a person. */
  show(run: DryRun): Promise<void>;
  /** Opens the sample prompt as a new text to change and save. */
  newPrompt(): Promise<void>;
}

/** What a person can try before there is a key, a repository or trust; nothing is queued, sent or written. */
export function sampleCommands(samples: Samples): Pick<CommandTable, "tryWithoutKey" | "newPrompt"> {
  const simple = <Answer>(run: () => Promise<Answer>) =>
    define({
      trusted: false,
      parse: (input) => parseInput(nothing, input),
      ask: () => Promise.resolve({}),
      run,
    });
  return {
    tryWithoutKey: simple(async () => {
      const run = await samples.dryRun();
      await samples.show(run);
      return run;
    }),
    newPrompt: simple(async () => {
      await samples.newPrompt();
      return undefined;
    }),
  };
}
