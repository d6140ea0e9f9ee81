/** `vscode.l10n.t`, handed to modules that run without VS Code. */
export type Translate = (message: string, ...args: (string | number | boolean)[]) => string;
