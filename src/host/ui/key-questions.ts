import { env, l10n } from "vscode";
import type { KeyQuestions } from "../commands/keys.ts";
import { providerNames, providers } from "../key-variables.ts";
import type { Provider } from "../key-variables.ts";
import { numbersIn } from "../numbers.ts";
import { askText, pickOne } from "./ask.ts";
import type { Choice } from "./ask.ts";
import { back, runSteps } from "./steps.ts";
import { inform, notify } from "./tell.ts";

const choices: readonly Choice<Provider>[] = providers.map((value) => ({
  label: providerNames[value],
  value,
}));

export const keyQuestions: KeyQuestions = {
  async provider() {
    const chosen = await pickOne({
      title: l10n.t("Forget API Key"),
      canGoBack: false,
      placeholder: l10n.t("Provider"),
      items: choices,
    });
    if (chosen === back) throw new Error("The only question has nothing before it.");
    return chosen;
  },
  async key() {
    let provider: Provider = "anthropic";
    let key = "";
    await runSteps(l10n.t("Set API Key"), [
      async (frame) => {
        const chosen = await pickOne({ ...frame, placeholder: l10n.t("Provider"), items: choices });
        if (chosen === back) return back;
        provider = chosen;
        return "asked";
      },
      async (frame) => {
        const typed = await askText({
          ...frame,
          prompt: l10n.t("API key, kept in the editor's secret storage"),
          password: true,
          refuse: (text) =>
            /^[\x21-\x7e]+$/.test(text.trim()) ? undefined : l10n.t("A key is one word of plain characters."),
        });
        if (typed === back) return back;
        key = typed.trim();
        return "asked";
      },
    ]);
    return { provider, key };
  },
  stillInEnvironment(variable) {
    inform(l10n.t("The stored key is forgotten. The environment variable {0} still gives one.", variable));
  },
  kept({ queued, pending }) {
    const waiting = queued + pending;
    if (waiting === 0) inform(l10n.t("The key is kept."));
    else
      notify(
        "information",
        l10n.t("The key is kept. Requests waiting: {0}.", numbersIn(env.language).count(waiting)),
        queued > 0 ? ["flush"] : [],
      );
  },
};
