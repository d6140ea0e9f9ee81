import { l10n } from "vscode";
import type { OfferedModel } from "../../llm/index.ts";
import { plain } from "./ask.ts";
import type { Choice } from "./ask.ts";

interface Models {
  readonly defaultModel: () => string;
  readonly models: () => Promise<readonly OfferedModel[]>;
  /** US dollars as the reader's language writes them. */
  readonly usd: (value: number) => string;
}

/** Models with their prices; what was `chosen` before is first, then the default. */
export async function modelChoices(
  { defaultModel, models, usd }: Models,
  chosen: string,
): Promise<readonly Choice<string>[]> {
  const preset = defaultModel();
  const offered = (await models()).map(({ model, input, output }) => ({
    ...plain(model),
    description: l10n.t("per million tokens in a batch: {0} in, {1} out", usd(input), usd(output)),
  }));
  const first = [...new Set([chosen, preset])].filter((model) => model !== "");
  const rank = ({ value }: Choice<string>): number => first.indexOf(value) + 1 || first.length + 1;
  const unpriced = first.filter((model) => offered.every(({ value }) => value !== model)).map(plain);
  return [...unpriced, ...offered].sort((one, other) => rank(one) - rank(other));
}
