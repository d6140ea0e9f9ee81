import { l10n } from "vscode";
import { Cancelled } from "../commands/cancelled.ts";
import { showModalMessage } from "./tell.ts";

/** Asks in the middle of the window. Rejects with `Cancelled` unless the person agrees. */
export async function confirm(question: string, agree = l10n.t("Continue")): Promise<void> {
  const chosen = await showModalMessage({ severity: "warning", message: question }, agree);
  if (chosen !== agree) throw new Cancelled();
}
