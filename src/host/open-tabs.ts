import { TabInputCustom, TabInputText, window } from "vscode";
import type { Tab, Uri } from "vscode";

/** The documents of a scheme that have a tab, shown or not. */
export const openTabs = (scheme: string): readonly Uri[] =>
  window.tabGroups.all.flatMap(({ tabs }) => documentsOf(tabs, scheme));

/** Those that are in front, one at most in each group of editors. */
export const shownTabs = (scheme: string): readonly Uri[] =>
  window.tabGroups.all.flatMap(({ activeTab }) => documentsOf(activeTab ? [activeTab] : [], scheme));

const documentsOf = (tabs: readonly Tab[], scheme: string): readonly Uri[] =>
  tabs
    .map(({ input }) => input)
    .filter((input) => input instanceof TabInputText || input instanceof TabInputCustom)
    .map(({ uri }) => uri)
    .filter((uri) => uri.scheme === scheme);
