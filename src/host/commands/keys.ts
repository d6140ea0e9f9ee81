import * as v from "valibot";
import { parseInput } from "../../core/schema/inputs.ts";
import { providers } from "../secrets.ts";
import type { ApiKeys, Provider } from "../secrets.ts";
import { define } from "./command.ts";
import type { CommandTable } from "./command.ts";

const provider = v.picklist(providers, `must be ${providers.join(" or ")}`);
const setInput = v.strictObject({
  provider,
  // The message must not repeat the value.
  key: v.pipe(
    v.string("must be a text"),
    v.trim(),
    v.nonEmpty("is empty"),
    v.regex(/^[\x21-\x7e]+$/, "holds a character that no key has"),
  ),
});
const forgetInput = v.strictObject({ provider });

/** How a person is asked for a key. Rejects with `Cancelled` when dismissed. */
export interface KeyQuestions {
  provider(): Promise<Provider>;
  key(): Promise<{ readonly provider: Provider; readonly key: string }>;
  /** The stored key is gone, but this environment variable gives one. */
  stillInEnvironment(variable: string): void;
}

/** `changed`: lets what waits for a key go on; awaited, so that whoever set one can flush at once. */
export function keyCommands(
  keys: ApiKeys,
  questions: KeyQuestions,
  changed: () => Promise<void>,
): Pick<CommandTable, "setApiKey" | "forgetApiKey"> {
  return {
    setApiKey: define({
      trusted: false,
      parse: (input) => parseInput(setInput, input),
      ask: async () => parseInput(setInput, await questions.key()),
      run: async (input) => {
        await keys.set(input.provider, input.key);
        await changed();
        return undefined;
      },
    }),
    forgetApiKey: define({
      trusted: false,
      parse: (input) => parseInput(forgetInput, input),
      ask: async () => ({ provider: await questions.provider() }),
      run: async (input, caller) => {
        const variable = await keys.forget(input.provider);
        if (variable !== undefined && caller === "person") questions.stillInEnvironment(variable);
        return undefined;
      },
    }),
  };
}
