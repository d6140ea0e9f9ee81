import { TabInputText, window } from "vscode";
import type { Tab, Uri } from "vscode";

/** Shows a document, without the focus, while `work` runs. Then its tab goes, unless the person has kept or pinned it. */
export async function whileShown<T>(uri: Uri, work: () => Promise<T>): Promise<T> {
  const inView = window.tabGroups.activeTabGroup.activeTab;
  // It takes no other preview's place, for nobody could put that back together with the focus it had.
  await window.showTextDocument(uri, { preview: inView?.isPreview !== true, preserveFocus: true });
  const asPreview = tabOf(uri)?.isPreview === true;
  try {
    return await work();
  } finally {
    const tab = tabOf(uri);
    const isKept = tab !== undefined && (tab.isPinned || (asPreview && !tab.isPreview));
    // Where the focus is within the editors, the one that comes into view gets it; elsewhere it stays.
    if (tab && !isKept) await window.tabGroups.close(tab, false);
  }
}

const tabOf = (uri: Uri): Tab | undefined =>
  window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .find(({ input }) => input instanceof TabInputText && input.uri.toString() === uri.toString());
