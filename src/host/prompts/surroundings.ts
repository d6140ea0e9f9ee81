import { Uri, window, workspace } from "vscode";
import type { Surroundings } from "./prompt-run.ts";

/** This window, as a prompt run sees it. */
export function surroundings(defaultModel: () => string): Surroundings {
  return {
    folders: () =>
      (workspace.workspaceFolders ?? []).flatMap(({ uri }) => (uri.scheme === "file" ? [uri.fsPath] : [])),
    unsaved: (path) =>
      workspace.textDocuments
        .find(({ uri, isDirty }) => isDirty && uri.scheme === "file" && uri.fsPath === path)
        ?.getText(),
    selection: () => {
      const editor = window.activeTextEditor;
      return editor ? editor.document.getText(editor.selection) : "";
    },
    language: async (path) => (await workspace.openTextDocument(Uri.file(path))).languageId,
    defaultModel,
  };
}
