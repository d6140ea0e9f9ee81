import { commands, extensions, window, workspace } from "vscode";
import type { Uri } from "vscode";

/** The editor of the built-in extension that renders Markdown. Unlike its other previews it keeps the document's address. */
const RENDERED = { extension: "vscode.markdown-language-features", editor: "vscode.markdown.preview.editor" };

/** Shows a Markdown document rendered; as text where the person has switched the built-in extension off. */
export async function showRendered(uri: Uri): Promise<void> {
  const document = await workspace.openTextDocument(uri);
  if (extensions.getExtension(RENDERED.extension))
    await commands.executeCommand("vscode.openWith", document.uri, RENDERED.editor, { preview: true });
  else await window.showTextDocument(document, { preview: true });
}
