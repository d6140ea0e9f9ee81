import { l10n, window, workspace } from "vscode";
import type { Uri } from "vscode";
import { basename, dirname, join } from "node:path";
import type { LlmRequestInput } from "../../core/schema/inputs.ts";
import type { Subject } from "../commands/caller.ts";
import type { AskForRun } from "../commands/prompts.ts";
import type { CostPreview } from "../../llm/index.ts";
import { nameIn } from "../folder-names.ts";
import { numbersIn } from "../numbers.ts";
import type { Parts } from "../parts.ts";
import { askText, pickOne } from "../ui/ask.ts";
import { back, runSteps } from "../ui/steps.ts";
import type { Step } from "../ui/steps.ts";
import type { VirtualDocuments } from "../virtual-documents.ts";
import { costText } from "./cost-text.ts";
import { chooseFiles, filesIn } from "./choose-files.ts";
import { filesPointedAt, leftOutText, nothingLeftOut } from "./pointed-at.ts";
import type { Found, LeftOut } from "./pointed-at.ts";
import { PROMPT_SUFFIX } from "./prompt-file.ts";
import { readPrompt, requestsOf } from "./prompt-run.ts";
import type { Surroundings } from "./prompt-run.ts";
import { questionsOf } from "./template.ts";
import { whileShown } from "./while-shown.ts";

interface Deps {
  readonly parts: Pick<Parts, "choices" | "requests">;
  readonly around: Surroundings;
  readonly documents: Pick<VirtualDocuments, "show">;
  readonly locale: string;
}

const title = (): string => l10n.t("Run Prompt on Files");

/** Asks for a prompt, files and what the prompt asks for; shows the first request and what all may cost; has it confirmed. */
export function askForRun(deps: Deps): AskForRun {
  return async (subject) => {
    const { around } = deps;
    const given = await split(subject, deps);
    const answers = { prompt: given.prompt ?? "", files: given.files, leftOut: given.leftOut };
    await runSteps(title(), [
      async (frame) => {
        if (given.prompt !== undefined) return "skipped";
        const prompt = await pickOne({
          ...frame,
          placeholder: l10n.t("Prompt file"),
          items: promptFiles(around),
        });
        if (prompt === back) return back;
        answers.prompt = prompt;
        return "asked";
      },
      async (frame) => {
        if (given.files.length > 0) return "skipped";
        const found = await chooseFiles(frame, deps.parts.choices, around);
        if (found === back) return back;
        answers.files = found.files;
        answers.leftOut = found.leftOut;
        return "asked";
      },
    ]);
    const prompt = { uri: answers.prompt };
    const questions = questionsOf((await readPrompt(prompt, around)).template);
    const inputs: Record<string, string> = {};
    const asking = questions.map(({ name, hint }): Step => async (frame) => {
      const text = await askText({ ...frame, prompt: hint || name, value: inputs[name] ?? "" });
      if (text === back) return back;
      inputs[name] = text;
      return "asked";
    });
    await runSteps(title(), asking);
    const requests = await requestsOf({ prompt, files: [...answers.files], inputs }, around);
    await confirm(requests, answers.leftOut, deps);
    return requests;
  };
}

/** What was pointed at: one prompt file is the prompt, everything else is what it runs on. */
async function split(
  subject: Subject,
  { around, locale }: Pick<Deps, "around" | "locale">,
): Promise<Found & { readonly prompt?: string }> {
  if (subject.kind !== "files") return { files: [], leftOut: nothingLeftOut };
  const found = await filesPointedAt(subject.files, around, filesIn, numbersIn(locale), l10n.t);
  const prompts = found.files.filter((file) => file.endsWith(PROMPT_SUFFIX));
  const [prompt] = prompts;
  return prompt !== undefined && prompts.length === 1
    ? { ...found, prompt, files: found.files.filter((file) => file !== prompt) }
    : found;
}

async function promptFiles(around: Pick<Surroundings, "folders">) {
  const found = await workspace.findFiles(`**/*${PROMPT_SUFFIX}`);
  const active = window.activeTextEditor?.document.uri;
  if (found.length === 0)
    throw new Error(
      l10n.t(
        "There is no prompt file in this window's folders. Write one whose name ends in {0}.",
        PROMPT_SUFFIX,
      ),
    );
  const first = (uri: Uri): number => Number(uri.toString() === active?.toString());
  return found
    .sort((a, b) => first(b) - first(a) || a.fsPath.localeCompare(b.fsPath))
    .map(({ fsPath }) => ({
      label: basename(fsPath).slice(0, -PROMPT_SUFFIX.length),
      description: nameIn(around.folders(), fsPath),
      value: fsPath,
    }));
}

/** Shows the first prompt and what all of them may cost. Rejects with `Cancelled` unless confirmed. */
async function confirm(requests: readonly LlmRequestInput[], leftOut: LeftOut, deps: Deps): Promise<void> {
  const numbers = numbersIn(deps.locale);
  const [first] = requests;
  if (!first) throw new Error(l10n.t("No file was chosen, so nothing was queued."));
  const estimate: CostPreview = await deps.parts.requests.estimate(requests);
  const name = basename(first.id ?? "");
  const preview = deps.documents.show(
    join("/prompt", dirname(first.id ?? ""), `${name}.md`),
    first.prompt ?? "",
  );
  await whileShown(preview, () =>
    pickOne({
      title: title(),
      canGoBack: false,
      placeholder: l10n.t("The first prompt is shown in the editor, as it will be sent"),
      prompt: leftOutText(leftOut, numbers, l10n.t),
      items: [
        {
          label: l10n.t("Queue requests: {0}", numbers.count(requests.length)),
          description: first.model,
          detail: costText(estimate, numbers, l10n.t),
          value: true,
        },
      ],
    }),
  );
}
