/** What becomes of one item of a batch, or of one single call, instead of the usual answer. */
export type Outcome =
  | {
      readonly kind: "errored";
      readonly type: string;
      readonly message: string;
      readonly details?: Readonly<Record<string, unknown>>;
      /** HTTP status inside the line (OpenAI) or of a single call; 400 when absent. */
      readonly status?: number;
      /** OpenAI has two shapes of error lines: with a `response`, or with `error` alone. */
      readonly shape?: "response" | "error";
    }
  | { readonly kind: "expired" }
  | { readonly kind: "canceled" }
  | { readonly kind: "succeeded"; readonly text?: string; readonly stopReason?: string }
  /** Counted as succeeded, yet the result file has no line for it. */
  | { readonly kind: "missing" };

/** Binds an outcome to the items it is for: by `custom_id`, by words of the prompt, or both. */
export interface OutcomeRule {
  readonly customId?: string | RegExp;
  /** A string is looked for anywhere in the prompt's text. */
  readonly prompt?: string | RegExp;
  readonly outcome: Outcome;
}

/** The outcome of the last rule that agrees. */
export function findOutcome(
  rules: readonly OutcomeRule[],
  customId: string | undefined,
  prompt: () => string,
): Outcome | undefined {
  return rules.findLast((rule) => {
    if (rule.customId !== undefined && (customId === undefined || !isId(rule.customId, customId)))
      return false;
    if (rule.prompt === undefined) return rule.customId !== undefined;
    return typeof rule.prompt === "string" ? prompt().includes(rule.prompt) : rule.prompt.test(prompt());
  })?.outcome;
}

function isId(wanted: string | RegExp, id: string): boolean {
  return typeof wanted === "string" ? wanted === id : wanted.test(id);
}
