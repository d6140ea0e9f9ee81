import { join } from "node:path";
import type { LlmRequestInput } from "../../core/schema/inputs.ts";
import type { CostPreview } from "../../llm/index.ts";
import type { Translate } from "../l10n.ts";
import { codeSpan, escapeMarkdown } from "../markdown.ts";
import type { Numbers } from "../numbers.ts";
import type { Parts } from "../parts.ts";
import { costText } from "./cost-text.ts";
import { requestsOf } from "./prompt-run.ts";
import type { Surroundings } from "./prompt-run.ts";

/** What comes with the extension, in its folder `media/sample`. */
const PROMPT = "review.prompt.md";
const FILES = ["basket.py", "prices.py", "receipt.py"];

/** What a run of the sample prompt would send and cost; nothing was queued or sent to find out. */
export interface DryRun {
  readonly requests: readonly LlmRequestInput[];
  /** All of them as one batch. */
  readonly batch: CostPreview;
  /** Each as a call of its own, at the standard price. */
  readonly alone: CostPreview;
}

export const samplePrompt = (folder: string): string => join(folder, PROMPT);

/** `folder`: absolute path of the samples. */
export async function dryRun(
  folder: string,
  around: Pick<Surroundings, "defaultModel" | "language">,
  { estimate }: Pick<Parts["requests"], "estimate">,
): Promise<DryRun> {
  const run = { prompt: { uri: samplePrompt(folder) }, files: FILES.map((name) => join(folder, name)) };
  const here = { ...around, folders: () => [folder], unsaved: () => undefined, selection: () => "" };
  const requests = await requestsOf(run, {
    ...here,
    defaultModel: () => around.defaultModel(),
    language: (path) => around.language(path),
  });
  const alone = requests.map((request) => ({ ...request, urgency: "now" as const }));
  return { requests, batch: await estimate(requests), alone: await estimate(alone) };
}

/** The run as a person reads it; marked as what it is, with no answer, for there is none. */
export function dryRunMarkdown({ requests, batch, alone }: DryRun, numbers: Numbers, t: Translate): string {
  const [first] = requests;
  const fence = "````";
  return `${[
    `# ${t("Dry run: nothing was queued, sent or paid")}`,
    `> ${t(
      "This is what a flush would do with the sample prompt on {0} sample files. There is no answer to show, because no model was asked.",
      numbers.count(requests.length),
    )}`,
    `## ${t("Plan")}`,
    `- ${t("{0}: requests {1}, API calls {2}", codeSpan(first?.model ?? ""), numbers.count(requests.length), numbers.count(1))}`,
    `## ${t("Estimated tokens and cost")}`,
    `- ${t("As one batch: {0}", escapeMarkdown(costText(batch, numbers, t)))}
- ${t("As {0} calls at the standard price: {1}", numbers.count(requests.length), escapeMarkdown(costText(alone, numbers, t)))}`,
    `## ${t("The first prompt, as it would be sent")}`,
    `${fence}\n${first?.prompt ?? ""}\n${fence}`,
    `## ${t("For real")}`,
    t(
      "Set a key with **Batch Control: Set API Key**, then **Batch Control: Run Prompt on Files** on your own files.",
    ),
  ].join("\n\n")}\n`;
}
