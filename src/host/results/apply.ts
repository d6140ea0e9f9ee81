import { l10n, Range, Uri, workspace, WorkspaceEdit } from "vscode";
import type { Change } from "./changes.ts";
import { WordedError } from "../worded-error.ts";

/** The text of a file as the editor has it, unsaved edits included; `undefined` where there is none. */
export async function currentText(path: string): Promise<string | undefined> {
  const uri = Uri.file(path);
  const open = workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open) return open.getText();
  const there = await workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
  return there ? (await workspace.openTextDocument(uri)).getText() : undefined;
}

/** Makes all changes as one edit that one undo takes back. Rejects, with nothing changed, where a file is not as it was shown. */
export async function applyChanges(changes: readonly Change[]): Promise<void> {
  const edit = new WorkspaceEdit();
  for (const { path, name, before, after } of changes) {
    const uri = Uri.file(path);
    if ((await currentText(path)) !== before)
      throw new WordedError("changed", l10n.t("{0} changed meanwhile, so nothing was applied.", name));
    if (before === undefined)
      edit.createFile(uri, { overwrite: false, contents: new TextEncoder().encode(after ?? "") });
    else if (after === undefined) edit.deleteFile(uri);
    else {
      const document = await workspace.openTextDocument(uri);
      edit.replace(uri, new Range(document.positionAt(0), document.positionAt(before.length)), after);
    }
  }
  if (!(await workspace.applyEdit(edit)))
    throw new WordedError("not-applied", l10n.t("The editor refused the change, so nothing was applied."));
}
