import path from "node:path";
import { l10n } from "vscode";
import type { ExtensionContext } from "vscode";

export interface TerminalDeps {
  /** The folder with the programs. */
  readonly bin: string;
  /** This window's name among those that the programs find. */
  readonly window: string;
}

/** Lets new terminals of this window find the programs, and these this window first. */
export function equipTerminals(
  variables: ExtensionContext["environmentVariableCollection"],
  { bin, window }: TerminalDeps,
): void {
  // The next window has another name; what is kept would lead to this one, which is gone by then.
  variables.persistent = false;
  variables.description = l10n.t("Adds the command line `batch-control`, which works with this window.");
  // Some shells set the path anew when they start.
  const options = { applyAtProcessCreation: true, applyAtShellIntegration: true };
  variables.prepend("PATH", bin + path.delimiter, options);
  variables.replace("BATCH_CONTROL_WINDOW", window, options);
}
