import { TabInputCustom, TabInputText, window } from "vscode";
import type { Uri } from "vscode";

/** The documents of a scheme that have a tab, shown or not. */
export function openTabs(scheme: string): readonly Uri[] {
  return window.tabGroups.all
    .flatMap(({ tabs }) => tabs.map(({ input }) => input))
    .filter((input) => input instanceof TabInputText || input instanceof TabInputCustom)
    .map(({ uri }) => uri)
    .filter((uri) => uri.scheme === scheme);
}
