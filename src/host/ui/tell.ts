import { commands, l10n, window } from "vscode";
import type { Remedy } from "../commands/funnel.ts";
import { asText, withoutLinks } from "./as-text.ts";

interface Message {
  readonly severity: "information" | "warning" | "error";
  readonly message: string;
}

/**
 * The only way to a notification, for its text may hold names, answers and errors from anywhere: it is shown as text.
 * Answers the button that was pressed; `undefined`: none.
 */
export function showMessage(
  { severity, message }: Message,
  ...buttons: readonly string[]
): Thenable<string | undefined> {
  return show(severity)(withoutLinks(message), ...buttons);
}

/** The same in the middle of the window, where everything else waits for an answer. */
export function showModalMessage(
  { severity, message, detail }: Message & { readonly detail?: string },
  ...buttons: readonly string[]
): Thenable<string | undefined> {
  const options = { modal: true, ...(detail === undefined ? {} : { detail: withoutLinks(detail) }) };
  return show(severity)(withoutLinks(message), options, ...buttons);
}

export function inform(message: string): void {
  void showMessage({ severity: "information", message });
}

const HINT_MS = 5000;

/** Says in the status bar, for some seconds, that something is done whose outcome is not in sight. */
export function hint(message: string): void {
  window.setStatusBarMessage(asText(message), HINT_MS);
}

/** Shows an error with buttons for what may mend it. */
export function tell(message: string, remedies: readonly Remedy[]): void {
  notify("error", message, remedies);
}

/** Shows a message with buttons for what a person may want then. */
export function notify(severity: Message["severity"], message: string, remedies: readonly Remedy[]): void {
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
  void showMessage({ severity, message }, ...remedies.map((remedy) => titles[remedy])).then((title) => {
    const chosen = remedies.find((remedy) => titles[remedy] === title);
    return chosen && commands.executeCommand(run[chosen]);
  });
}

function show(severity: Message["severity"]): typeof window.showInformationMessage {
  switch (severity) {
    case "information":
      return window.showInformationMessage;
    case "warning":
      return window.showWarningMessage;
    case "error":
      return window.showErrorMessage;
  }
}
