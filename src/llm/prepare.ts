import { InputError } from "../core/errors.ts";
import type { LlmRequestInput } from "../core/schema/inputs.ts";

/** The most tokens an answer may have where the input does not say. */
export const DEFAULT_MAX_TOKENS = 4096;

/** The type that requests from a file get. */
export const IMPORTED = "import";

export type Params = Readonly<Record<string, unknown>>;

/** Named fields of the input and the provider's parameter of each. */
export type NamedFields = Readonly<Record<string, string>>;

/** Refuses a parameter that a named field of the input already gives. */
export function refuseRepeats(params: Params, named: NamedFields): void {
  for (const [field, parameter] of Object.entries(named)) {
    if (Object.hasOwn(params, parameter))
      throw new InputError(`params.${parameter}`, `repeats a named field; give it as ${field}`);
  }
}

/** Refuses parameters by name, each with its reason. */
export function refuseParams(params: Params, reasons: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(params)) {
    if (Object.hasOwn(reasons, name))
      throw new InputError(`params.${name}`, reasons[name] ?? "is refused", "parameter-refused");
  }
}

/** A model past its last day is refused with the date; one whose last day comes within the batch window gives a warning. */
export function checkRetirement(model: string, retired: string | undefined, now: number): string | undefined {
  if (retired === undefined) return undefined;
  const day = Date.parse(retired);
  if (now >= day)
    throw new InputError(
      "model",
      `${model} was retired on ${retired}; choose another model`,
      "model-retired",
    );
  const DAY = 86_400_000;
  return now + DAY >= day
    ? `${model} is retired on ${retired}; the batch may not be answered before`
    : undefined;
}

/** The messages of an input: its own, or its prompt as the one message of a user. */
export function messagesOf(input: LlmRequestInput): readonly unknown[] {
  if (input.messages !== undefined) return input.messages;
  return [{ role: "user", content: input.prompt }];
}

/** Refuses a prompt of nothing but white space: a provider refuses it, or answers with nonsense. */
export function refuseBlankPrompt(input: LlmRequestInput): void {
  if (input.prompt?.trim() === "")
    throw new InputError("prompt", "is blank; write what the model is to do", "empty-prompt");
}

/** Refuses an item that no body could carry. */
export function refuseOversize(bytes: number, most: number, field: string): void {
  if (bytes <= most) return;
  const mb = (n: number): string => (n / 1_000_000).toFixed(1);
  throw new InputError(
    field,
    `makes a request of ${mb(bytes)} MB; the provider takes at most ${mb(most)} MB`,
    "request-too-large",
  );
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A copy without the keys whose value is undefined. */
export function defined<T extends Readonly<Record<string, unknown>>>(
  value: T,
): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
