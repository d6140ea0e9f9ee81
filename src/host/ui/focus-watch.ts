import { window } from "vscode";
import type { Clock } from "../../core/ports.ts";
import type { FocusWatch } from "../tree/focus.ts";

/** After so long a person has turned to something else, or will be startled by a focus that moves. */
const PATIENCE_MS = 2000;

/** Counts as lost whatever an extension can learn of somebody working elsewhere. */
export function watchFocus(clock: Pick<Clock, "now">): FocusWatch {
  const begun = clock.now();
  let elsewhere = false;
  const noticed = (): void => {
    elsewhere = true;
  };
  const subscriptions = [
    window.onDidChangeWindowState(noticed),
    window.onDidChangeActiveTextEditor(noticed),
    window.onDidChangeActiveTerminal(noticed),
    window.tabGroups.onDidChangeTabGroups(noticed),
    window.onDidChangeTextEditorSelection(({ kind }) => {
      if (kind !== undefined) noticed();
    }),
  ];
  return {
    mayHaveIt: () => !elsewhere && clock.now() - begun < PATIENCE_MS,
    dispose: () => {
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}
