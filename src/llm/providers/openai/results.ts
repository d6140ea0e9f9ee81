import * as v from "valibot";
import type { Answered, ItemOutcome, Note, ResultLine, TokenUsage } from "../../provider.ts";
import { innerFailure } from "./failure.ts";

const word = v.optional(v.nullable(v.string()));
const error = v.looseObject({ code: word, type: word, message: v.optional(v.string()) });
const details = v.optional(
  v.nullable(
    v.looseObject({ cached_tokens: v.optional(v.number()), cache_write_tokens: v.optional(v.number()) }),
  ),
);
const usage = v.looseObject({
  input_tokens: v.optional(v.number()),
  output_tokens: v.optional(v.number()),
  input_tokens_details: details,
  prompt_tokens: v.optional(v.number()),
  completion_tokens: v.optional(v.number()),
  prompt_tokens_details: details,
});
const part = v.looseObject({
  type: v.optional(v.string()),
  text: v.optional(v.unknown()),
  refusal: v.optional(v.unknown()),
});
/** The bodies of all endpoints in one: each uses some of the fields. */
const body = v.looseObject({
  usage: v.optional(v.nullable(usage)),
  output: v.optional(v.array(v.looseObject({ content: v.optional(v.nullable(v.array(part))) }))),
  status: word,
  incomplete_details: v.optional(v.nullable(v.looseObject({ reason: word }))),
  choices: v.optional(
    v.array(
      v.looseObject({
        text: word,
        finish_reason: word,
        message: v.optional(v.looseObject({ content: word, refusal: word })),
      }),
    ),
  ),
});
type Body = v.InferOutput<typeof body>;
const line = v.looseObject({
  custom_id: v.string(),
  response: v.optional(v.nullable(v.looseObject({ status_code: v.number(), body: v.unknown() }))),
  error: v.optional(v.nullable(error)),
});

const cut: Note = { reason: "cut", message: "Cut: the answer reached maxTokens." };
const refused: Note = { reason: "refused", message: "Refused: the model declined to answer." };

/** One line of an output or error file. `undefined` when it is damaged. */
export function readOpenaiLine(text: string): ResultLine | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  const checked = v.safeParse(line, parsed);
  if (!checked.success) return undefined;
  const { custom_id: customId, response, error: alone } = checked.output;
  const outcome =
    response === undefined || response === null
      ? errorOutcome(alone ?? {}, parsed)
      : responseOutcome(response, parsed);
  return outcome === undefined ? undefined : { customId, outcome };
}

function responseOutcome(
  response: { readonly status_code: number; readonly body: unknown },
  raw: unknown,
): ItemOutcome | undefined {
  if (response.status_code < 400) return readOpenaiBody(response.body);
  const wrapped = v.safeParse(v.looseObject({ error }), response.body);
  return errorOutcome(wrapped.success ? wrapped.output.error : {}, raw, response.status_code);
}

function errorOutcome(
  { code, type, message }: v.InferOutput<typeof error>,
  raw: unknown,
  status?: number,
): ItemOutcome {
  if (code === "batch_expired") return { kind: "expired" };
  if (code === "batch_cancelled") return { kind: "cancelled" };
  const failure = innerFailure(
    code ?? undefined,
    type ?? undefined,
    message ?? "The provider gave no reason",
    status,
  );
  return { kind: "errored", failure, message: raw };
}

/** The body of a successful answer of any endpoint. */
export function readOpenaiBody(value: unknown): Answered | undefined {
  const checked = v.safeParse(body, value);
  if (!checked.success) return undefined;
  const note = noteOf(checked.output);
  return {
    kind: "succeeded",
    text: textOf(checked.output),
    message: value,
    usage: usageOf(checked.output.usage ?? {}),
    ...(note === undefined ? {} : { note }),
  };
}

function textOf({ output, choices }: Body): string {
  const parts = (output ?? []).flatMap(({ content }) => content ?? []);
  const texts = parts.map(({ type, text }) =>
    type === "output_text" && typeof text === "string" ? text : "",
  );
  return texts.join("") || (choices?.[0]?.message?.content ?? choices?.[0]?.text ?? "");
}

function noteOf({ output, choices, incomplete_details: incomplete }: Body): Note | undefined {
  const [choice] = choices ?? [];
  const reason = incomplete?.reason ?? choice?.finish_reason;
  if (reason === "max_output_tokens" || reason === "length") return cut;
  const refusal = (output ?? []).some(({ content }) => content?.some(({ type }) => type === "refusal"));
  if (reason === "content_filter" || refusal || typeof choice?.message?.refusal === "string") return refused;
  return undefined;
}

function usageOf(value: v.InferOutput<typeof usage>): TokenUsage {
  const known = value.input_tokens_details ?? value.prompt_tokens_details;
  const cacheRead = known?.cached_tokens ?? 0;
  const cacheWrite5m = known?.cache_write_tokens ?? 0;
  const prompt = value.input_tokens ?? value.prompt_tokens ?? 0;
  return {
    input: prompt - cacheRead - cacheWrite5m,
    output: value.output_tokens ?? value.completion_tokens ?? 0,
    cacheRead,
    cacheWrite5m,
    cacheWrite1h: 0,
    usOnly: false,
  };
}
