import { commands, l10n, Uri } from "vscode";
import { pickMany } from "../ui/ask.ts";
import { count } from "../ui/count.ts";
import { back } from "../ui/steps.ts";
import { showMessage } from "../ui/tell.ts";
import { SCHEME } from "../scheme.ts";
import type { VirtualDocuments } from "../virtual-documents.ts";
import type { Change, Plan, Refused } from "./changes.ts";
import { setsUpEditor } from "./editor-setup.ts";

/** Documents that show what a request's answer would make of a file; the id stands in the path. */
const proposedPath = (id: string, side: "before" | "after", name: string): string =>
  `/proposed/${id}/${side}/${name}`;
export const proposedIdOf = (path: string): string | undefined =>
  /^\/proposed\/([0-9a-f-]{36})\//.exec(path)?.[1];

/** Shows every change in the diff editor, and offers to choose from them. */
export async function reviewChanges(
  id: string,
  { changes, refused }: Plan,
  documents: VirtualDocuments,
): Promise<void> {
  const sides = changes.map(({ path, name, before, after }) => ({
    name,
    file: Uri.file(path),
    left: before === undefined ? documents.show(proposedPath(id, "before", name), "") : Uri.file(path),
    right: documents.show(proposedPath(id, "after", name), after ?? ""),
  }));
  const [only, ...more] = sides;
  if (only && more.length === 0) {
    const title = l10n.t("{0} (proposed)", only.name);
    await commands.executeCommand("vscode.diff", only.left, only.right, title, { preview: true });
  } else {
    const title = l10n.t("Proposed changes");
    await commands.executeCommand(
      "vscode.changes",
      title,
      sides.map(({ file, left, right }) => [file, left, right]),
    );
  }
  const apply = l10n.t("Choose and Apply");
  const result = Uri.from({ scheme: SCHEME, path: `/proposed/${id}/` });
  const said = [
    l10n.t("This answer would change files: {0}.", count(changes.length)),
    ...refused.map(refusal),
  ].join(" ");
  void showMessage({ severity: "information", message: said }, apply).then(
    (chosen) => chosen && commands.executeCommand("batchControl.applyResult", result),
  );
}

/** Which of the changes to make. Rejects with `Cancelled` when dismissed. */
export async function chooseChanges({ changes, refused }: Plan): Promise<readonly string[]> {
  const names = await pickMany({
    title: l10n.t("Apply Changes of Result"),
    canGoBack: false,
    placeholder: [l10n.t("Files to change"), ...refused.map(refusal)].join(" "),
    missing: l10n.t("Choose at least one file."),
    items: changes.map((change) => ({
      label: change.name,
      description: whatHappens(change),
      picked: !setsUpEditor(change.path),
      value: change.name,
    })),
  });
  if (names === back) throw new Error("The only question has nothing before it.");
  return names;
}

const refusal = ({ name, reason }: Refused): string => l10n.t("Left out {0}: {1}.", name, reason);

function whatHappens(change: Change): string {
  const what = whatBecomes(change);
  return setsUpEditor(change.path) ? l10n.t("{0}, sets up the editor itself", what) : what;
}

function whatBecomes({ before, after }: Change): string {
  if (before === undefined) return l10n.t("new file");
  return after === undefined ? l10n.t("deleted") : l10n.t("changed");
}
