import * as vscode from "vscode";

/** Entry of the extension. */
export function activate(context: vscode.ExtensionContext): object {
  const log = vscode.window.createOutputChannel("Batch Control", { log: true });
  const show = vscode.commands.registerCommand("batchControl.showLog", () => log.show());
  context.subscriptions.push(log, show);
  return {};
}
