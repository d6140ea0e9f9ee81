import { l10n } from "vscode";
import { count } from "../ui/count.ts";
import { inform, showMessage } from "../ui/tell.ts";
import { restoreDeleted } from "./deleted-files.ts";
import type { DeletedFile } from "./deleted-files.ts";

/** Says what was applied, and offers the way back where the editor has none. */
export async function tellApplied(changed: number, deleted: readonly DeletedFile[]): Promise<void> {
  const message = l10n.t("Applied. Files changed: {0}.", count(changed));
  if (deleted.length === 0) {
    inform(message);
    return;
  }
  const restore = l10n.t("Restore Deleted Files");
  const said = `${message} ${l10n.t("Deleted: {0}.", deleted.map(({ name }) => name).join(", "))}`;
  if ((await showMessage({ severity: "information", message: said }, restore)) !== restore) return;
  const { restored, left } = await restoreDeleted(deleted);
  if (restored.length > 0) inform(l10n.t("Restored: {0}.", restored.join(", ")));
  if (left.length > 0)
    void showMessage({
      severity: "warning",
      message: l10n.t(
        "Not restored, for something is there by that name or it cannot be written: {0}.",
        left.join(", "),
      ),
    });
}
