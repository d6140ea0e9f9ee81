import { commands, env, l10n, UIKind, Uri } from "vscode";
import { count } from "../ui/count.ts";
import { inform, showMessage } from "../ui/tell.ts";

/** Says how many answers were written as files, and leads to their folder. */
export function tellSaved(folder: string, files: number): void {
  if (files === 0) {
    inform(l10n.t("No answer of this batch has a text, so nothing was saved."));
    return;
  }
  const open = l10n.t("Open Folder");
  const message = l10n.t("Results saved: {0}", count(files));
  void showMessage({ severity: "information", message }, open).then(
    (chosen) => chosen && openFolder(Uri.file(folder)),
  );
}

/** Where the machine's own file manager is out of reach, as a window of its own. */
const openFolder = (folder: Uri): Thenable<unknown> =>
  env.uiKind === UIKind.Desktop && env.remoteName === undefined
    ? env.openExternal(folder)
    : commands.executeCommand("vscode.openFolder", folder, { forceNewWindow: true });
