import { l10n, Range, Uri, workspace, WorkspaceEdit } from "vscode";
import type { Change } from "./changes.ts";
import { lostCharacters } from "./lost-characters.ts";
import { WordedError } from "../worded-error.ts";

/**
 * The text of a file as the editor has it, unsaved edits included; `undefined` where there is none. Rejects where it is no
 * text, or not in the encoding that the editor takes it for, so that saving it would destroy what could not be read.
 */
export async function currentText(path: string): Promise<string | undefined> {
  const uri = Uri.file(path);
  const open = workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  const there = await workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
  if (!there) return open?.getText();
  const document = open ?? (await workspace.openTextDocument(uri).then(undefined, () => undefined));
  const text = document?.getText();
  if (text === undefined || lostCharacters(text, await workspace.fs.readFile(uri)))
    throw new WordedError(
      "no-text",
      l10n.t("it is no text, or not in the encoding that the editor takes it for"),
    );
  return text;
}

/** An editor holds another text than is stored. */
export const isUnsaved = (path: string): boolean =>
  workspace.textDocuments.some(({ uri, isDirty }) => isDirty && uri.scheme === "file" && uri.fsPath === path);

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
