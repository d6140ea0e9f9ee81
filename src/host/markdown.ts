/** Makes a text that came from outside show as it is, with no markup, link or icon of its own. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!|<>~$&]/g, "\\$&").replace(/\s*\n\s*/g, " ");
}
