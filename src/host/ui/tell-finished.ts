import { ConfigurationTarget, l10n, workspace } from "vscode";
import { showMessage } from "./tell.ts";

interface Choices {
  readonly openResults: () => PromiseLike<unknown>;
  readonly showPanel: () => PromiseLike<unknown>;
}

/** Shows that something has finished, with what a person may want then. */
export async function tellFinished(message: string, { openResults, showPanel }: Choices): Promise<void> {
  const never = (): PromiseLike<void> =>
    workspace
      .getConfiguration("batchControl")
      .update("notifications.batchFinished", "never", ConfigurationTarget.Global);
  const items = [
    { title: l10n.t("Open Results"), run: openResults },
    { title: l10n.t("Show Panel"), run: showPanel },
    { title: l10n.t("Don't Show Again"), run: never },
  ];
  const chosen = await showMessage({ severity: "information", message }, ...items.map(({ title }) => title));
  await items.find(({ title }) => title === chosen)?.run();
}
