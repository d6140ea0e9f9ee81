import { define, oneName } from "./command.ts";
import { queueHelp, queueOptions, queueRequest } from "./queue.ts";
import { UsageError } from "./usage-error.ts";

const DEFAULT_TYPE = "implementer";
/** More than any model has; a number beyond would not arrive as it was typed. */
const MOST_TOKENS = 2 ** 31 - 1;

export const ask = define({
  usage: "ask --model <model> <prompt>",
  about: `Queues a request to a language model; with - in place of the prompt, it is read from standard input.

  --model <id>        the model
  --type <word>       implementer (the default), judge, planner or any other word; one type shares a batch
  --system <text>     the system prompt
  --max-tokens <n>    the most that the answer may have
  --provider <name>   anthropic or openai
  --urgency <when>    batch (half price, may take hours), soon or now
${queueHelp}
With --wait the answer is printed.`,
  options: {
    model: { type: "string" },
    type: { type: "string" },
    system: { type: "string" },
    "max-tokens": { type: "string" },
    provider: { type: "string" },
    urgency: { type: "string" },
    ...queueOptions,
  },
  read: (values, names) => {
    const prompt = oneName(names, "the prompt, in quotes, or - to read it from standard input");
    const { model } = values;
    if (model === undefined) throw new UsageError("Name a model with --model.");
    const maxTokens = numberIn(values["max-tokens"]);
    return async (session) => {
      const input = {
        type: values.type ?? DEFAULT_TYPE,
        model,
        prompt: prompt === "-" ? await session.readInput() : prompt,
        system: values.system,
        maxTokens,
        provider: values.provider,
        urgency: values.urgency,
        idempotencyKey: values.key,
      };
      return queueRequest(session, input, values.wait);
    };
  },
});

function numberIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text) || Number(text) > MOST_TOKENS)
    throw new UsageError(`--max-tokens takes a whole number up to ${MOST_TOKENS}, not "${text}".`);
  return Number(text);
}
