import {
  CancellationError,
  LanguageModelTextPart,
  LanguageModelToolResult,
  lm,
  MarkdownString,
} from "vscode";
import type { CancellationToken, Disposable, LanguageModelToolTokenizationOptions } from "vscode";
import { asText } from "./as-text.ts";
import type { Prepared, Tool } from "./tool.ts";

/** Makes the tools known to the editor, where it has language models. */
export function registerTools(tools: ReadonlyMap<string, Tool>): readonly Disposable[] {
  // Some editors built on this one lack them.
  if (typeof (lm as Partial<typeof lm> | undefined)?.registerTool !== "function") return [];
  return [...tools].map(([name, tool]) =>
    lm.registerTool<unknown>(name, {
      prepareInvocation: ({ input }) => prepared(tool.prepare(input)),
      invoke: async ({ input, tokenizationOptions }, token) => {
        const answer = await abortable(token, (signal) => tool.run(input, "tool", signal));
        return new LanguageModelToolResult([
          new LanguageModelTextPart(asText(answer, roomIn(tokenizationOptions))),
        ]);
      },
    }),
  );
}

/** A token is three characters at least, in the texts that are told here. */
const roomIn = (options: LanguageModelToolTokenizationOptions | undefined): number | undefined =>
  options === undefined ? undefined : options.tokenBudget * 3;

function prepared({ message, question }: Prepared): {
  readonly invocationMessage: string;
  readonly confirmationMessages?: { readonly title: string; readonly message: MarkdownString };
} {
  if (!question) return { invocationMessage: message };
  // Not trusted: no link in it runs a command.
  const text = new MarkdownString(question.text);
  return { invocationMessage: message, confirmationMessages: { title: question.title, message: text } };
}

async function abortable<Answer>(
  token: CancellationToken,
  run: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const controller = new AbortController();
  const stop = (): void => controller.abort(new CancellationError());
  if (token.isCancellationRequested) stop();
  const subscription = token.onCancellationRequested(stop);
  try {
    return await run(controller.signal);
  } finally {
    subscription.dispose();
  }
}
