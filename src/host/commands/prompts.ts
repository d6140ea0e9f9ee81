import type { LlmRequestInput } from "../../core/schema/inputs.ts";
import type { Parts } from "../parts.ts";
import { parsePromptRun, requestsOf } from "../prompts/prompt-run.ts";
import type { Surroundings } from "../prompts/prompt-run.ts";
import type { Subject } from "./caller.ts";
import { define } from "./command.ts";
import type { CommandTable } from "./command.ts";
import { asked } from "./asked.ts";

/** Asks a person for a prompt and files, shows what would be sent, and answers it once that is confirmed. */
export type AskForRun = (subject: Subject) => Promise<readonly LlmRequestInput[]>;

/** A prompt run over files: all of its requests are queued together, or none. */
export function promptCommands(
  { llm }: Pick<Parts, "llm">,
  around: Surroundings,
  ask: AskForRun,
): Pick<CommandTable, "runPromptOnFiles"> {
  type Requests = () => Promise<readonly LlmRequestInput[]>;
  return {
    runPromptOnFiles: define<Requests, { readonly ids: readonly string[] }>({
      trusted: true,
      parse: (input) => {
        const run = parsePromptRun(input);
        return () => requestsOf(run, around);
      },
      ask: async (subject) => {
        const requests = await ask(subject);
        return () => Promise.resolve(requests);
      },
      run: async (requests, caller) => ({ ids: await llm.enqueueAll(await requests(), asked(caller)) }),
    }),
  };
}
