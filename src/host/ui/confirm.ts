import { l10n, window } from "vscode";
import { Cancelled } from "../commands/cancelled.ts";

/** Asks in the middle of the window. Rejects with `Cancelled` unless the person agrees. */
export async function confirm(question: string, agree = l10n.t("Continue")): Promise<void> {
  const chosen = await window.showWarningMessage(question, { modal: true }, agree);
  if (chosen !== agree) throw new Cancelled();
}
