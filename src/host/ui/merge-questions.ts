import { l10n } from "vscode";
import type { MergeInput } from "../../core/schema/inputs.ts";
import { mergeMode } from "../words.ts";
import type { Choice } from "./ask.ts";

export type MergeMode = NonNullable<MergeInput["mode"]>;

const modes: readonly MergeMode[] = ["merge", "ff-only", "squash"];

/** How a merge can be made. */
export const mergeModes = (): readonly Choice<MergeMode>[] =>
  modes.map((mode) => ({ label: mergeMode(mode, l10n.t) ?? mode, value: mode }));

/** Whether the target of a merge is pushed as well. */
export const mergePushes = (): readonly Choice<boolean>[] => [
  { label: l10n.t("Merge only"), value: false },
  { label: l10n.t("Merge and push"), value: true },
];
