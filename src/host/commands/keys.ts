import * as v from "valibot";
import { parseInput } from "../../core/schema/inputs.ts";
import { providers } from "../key-variables.ts";
import type { Provider } from "../key-variables.ts";
import type { Waiting } from "../queued.ts";
import type { ApiKeys } from "../secrets.ts";
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
  /** A key was set. `waiting`: what had waited for it. */
  kept(waiting: Waiting): void;
}

interface KeyDeps {
  readonly keys: Pick<ApiKeys, "set" | "forget">;
  readonly questions: KeyQuestions;
  readonly waiting: (provider: Provider) => Promise<Waiting>;
  /** Lets what waits for a key go on; awaited, so that whoever set one can flush at once. */
  readonly changed: () => Promise<void>;
}

export function keyCommands({
  keys,
  questions,
  waiting,
  changed,
}: KeyDeps): Pick<CommandTable, "setApiKey" | "forgetApiKey"> {
  return {
    setApiKey: define({
      trusted: false,
      parse: (input) => parseInput(setInput, input),
      ask: async () => parseInput(setInput, await questions.key()),
      run: async (input, caller) => {
        const found = await waiting(input.provider);
        await keys.set(input.provider, input.key);
        await changed();
        if (caller === "person") questions.kept(found);
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
