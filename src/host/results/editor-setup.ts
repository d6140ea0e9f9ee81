/**
 * Whether a file sets up the editor itself, by its path: it may have the editor run programs
 * (https://code.visualstudio.com/docs/editor/workspace-trust), so nobody should change it by not looking.
 */
export function setsUpEditor(path: string): boolean {
  const parts = path.toLowerCase().split(/[/\\]/);
  return parts.includes(".vscode") || (parts.at(-1) ?? "").endsWith(".code-workspace");
}
