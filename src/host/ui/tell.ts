import { commands, l10n, window } from "vscode";
import type { Remedy } from "../commands/funnel.ts";

export function inform(message: string): void {
  void window.showInformationMessage(message);
}

/** Shows an error with buttons for what may mend it. */
export function tell(message: string, remedies: readonly Remedy[]): void {
  const titles: Record<Remedy, string> = {
    setApiKey: l10n.t("Set API Key"),
    manageTrust: l10n.t("Manage Workspace Trust"),
    resume: l10n.t("Try Again"),
    flush: l10n.t("Flush Requests"),
    showLog: l10n.t("Show Log"),
  };
  const run: Record<Remedy, string> = {
    setApiKey: "batchControl.setApiKey",
    manageTrust: "workbench.trust.manage",
    resume: "batchControl.resume",
    flush: "batchControl.flushRequests",
    showLog: "batchControl.showLog",
  };
  const items = remedies.map((remedy) => ({ title: titles[remedy], remedy }));
  void window
    .showErrorMessage(message, ...items)
    .then((chosen) => chosen && commands.executeCommand(run[chosen.remedy]));
}
