import { commands, ConfigurationTarget, l10n, workspace } from "vscode";
import type { Finished } from "../finished-notices.ts";
import type { NodeRef } from "../tree/node.ts";
import { showMessage } from "./tell.ts";

interface Shows {
  /** Opens the results of a batch. */
  readonly openResults: (batch: string) => Promise<void>;
  /** Shows a row of the queue. */
  readonly show: (row: NodeRef) => Promise<void>;
}

interface Button {
  readonly title: string;
  readonly run: () => PromiseLike<unknown>;
}

/** Shows that requests have finished, with what a person may want then. */
export async function tellFinished(
  { message, newest, answers, failed }: Finished,
  { openResults, show }: Shows,
): Promise<void> {
  await choose("information", message, [
    ...(answers > 0 || !failed
      ? [{ title: l10n.t("Open Results"), run: () => openResults(newest) }]
      : [showPanel()]),
    failed ? showFailed(() => show(failed)) : showPanel(),
    never("notifications.batchFinished", "never"),
  ]);
}

/** Shows that operations have failed, with ways to where they stand. */
export const tellFailed = (message: string, show: () => Promise<void>): Promise<void> =>
  choose("error", message, [showFailed(show), showPanel(), never("notifications.operationsFailed", false)]);

const showFailed = (run: () => Promise<void>): Button => ({ title: l10n.t("Show Failed"), run });

const showPanel = (): Button => ({
  title: l10n.t("Show Panel"),
  run: () => commands.executeCommand("batchControl.openPanel"),
});

const never = (setting: string, value: unknown): Button => ({
  title: l10n.t("Don't Show Again"),
  run: () => workspace.getConfiguration("batchControl").update(setting, value, ConfigurationTarget.Global),
});

async function choose(
  severity: "information" | "error",
  message: string,
  buttons: readonly Button[],
): Promise<void> {
  const chosen = await showMessage({ severity, message }, ...buttons.map(({ title }) => title));
  await buttons.find(({ title }) => title === chosen)?.run();
}
