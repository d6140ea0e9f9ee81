import { l10n } from "vscode";
import type { ChangedFile } from "../parts.ts";

/** What happened to a file, for a person. */
export function changeName({ change, staged }: ChangedFile): string {
  const names: Record<ChangedFile["change"], string> = {
    added: l10n.t("added"),
    modified: l10n.t("modified"),
    deleted: l10n.t("deleted"),
    renamed: l10n.t("renamed"),
    untracked: l10n.t("untracked"),
    conflicted: l10n.t("in conflict"),
  };
  return staged ? l10n.t("{0}, staged", names[change]) : names[change];
}
