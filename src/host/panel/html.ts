/** Where the panel's page finds its parts; addresses are webview addresses. */
export interface PageParts {
  readonly script: string;
  readonly codicons: string;
  /** Fresh for each page; the only script that runs carries it. */
  readonly nonce: string;
  /** Where the webview may load styles and fonts from. */
  readonly cspSource: string;
  /** BCP 47 name of the language of its texts. */
  readonly language: string;
  readonly title: string;
  /** An editor tab, or a view in a side bar with that bar's background. */
  readonly place: "editor" | "view";
}

/** The panel's page: nothing may load that is not named here. */
export function panelHtml({ script, codicons, nonce, cspSource, language, title, place }: PageParts): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource}`,
    `font-src ${cspSource}`,
  ].join("; ");
  return `<!DOCTYPE html>
<html lang="${escapeHtml(language)}">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escapeHtml(title)}</title>
    <link rel="stylesheet" id="vscode-codicon-stylesheet" href="${escapeHtml(codicons)}">
  </head>
  <body data-place="${place}">
    <script type="module" nonce="${nonce}" src="${escapeHtml(script)}"></script>
  </body>
</html>`;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);
