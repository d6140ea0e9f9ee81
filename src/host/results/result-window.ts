import { commands, env, l10n, TabInputTextDiff, window } from "vscode";
import { Cancelled } from "../commands/cancelled.ts";
import type { ResultWindow } from "../commands/results.ts";
import { innermost } from "../inside.ts";
import type { Parts } from "../parts.ts";
import { readSource } from "../prompts/source-file.ts";
import { hint } from "../ui/tell.ts";
import { watched } from "../ui/watched.ts";
import { SCHEME } from "../scheme.ts";
import type { VirtualDocuments } from "../virtual-documents.ts";
import type { AnsweredRequests } from "./answered.ts";
import { applyChanges, currentText, isUnsaved } from "./apply.ts";
import type { Plan } from "./changes.ts";
import { keepDeleted } from "./deleted-files.ts";
import { resultIdOf } from "./documents.ts";
import type { ResultDocuments } from "./documents.ts";
import type { LastFile } from "./last-file.ts";
import { holdsFiles, planAnswer } from "./plan-answer.ts";
import { chooseChanges, proposedIdOf, reviewChanges } from "./review.ts";
import { tellApplied } from "./tell-applied.ts";
import { tellSaved } from "./tell-saved.ts";
import { WordedError } from "../worded-error.ts";

interface Deps {
  readonly answered: AnsweredRequests;
  readonly llm: Pick<Parts["llm"], "inputOf">;
  readonly results: ResultDocuments;
  readonly documents: VirtualDocuments;
  readonly lastFile: LastFile;
  readonly folders: () => readonly string[];
}

/** Results in this window. */
export function resultWindow(deps: Deps): ResultWindow {
  const { results, documents, lastFile } = deps;
  return {
    current: () => {
      const uri = window.activeTextEditor?.document.uri ?? activeDiff();
      return uri?.scheme === SCHEME ? requestOf(uri.path) : undefined;
    },
    shownIn: ([first]) => (first === undefined ? undefined : requestOf(first)),
    open: (id) => results.open(id),
    compare: async ([one, two]) => {
      const [left, right] = [await results.answerUri(one), await results.answerUri(two)];
      const name = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
      await commands.executeCommand("vscode.diff", left, right, `${name(left.path)} ↔ ${name(right.path)}`);
    },
    insert: async (text) => {
      const editor = await lastFile.editor();
      if (!editor) throw new WordedError("no-editor", l10n.t("Open the file to insert into first."));
      if (!(await editor.edit((edit) => edit.replace(editor.selection, text))))
        throw new WordedError(
          "not-applied",
          l10n.t("The editor refused the change, so nothing was inserted."),
        );
    },
    copy: async (text) => env.clipboard.writeText(text),
    hint,
    folder: async () => {
      const [chosen] =
        (await window.showOpenDialog({
          title: l10n.t("Save All Results"),
          openLabel: l10n.t("Save Here"),
          canSelectFiles: false,
          canSelectFolders: true,
        })) ?? [];
      if (!chosen) throw new Cancelled();
      return chosen.fsPath;
    },
    watchSaving: (work) => watched(l10n.t("Saving results"), work),
    tellSaved,
    holdsFiles: async (id) => {
      const { text, reason } = (await deps.answered.find(id)).result;
      if (text === undefined) return false;
      return holdsFiles({ text, reason }, async () => {
        const subject = subjectOf((await deps.llm.inputOf(id))["metadata"], deps.folders());
        return subject && (await readSource(subject.path, "id").catch(() => undefined));
      });
    },
    plan: (id) => planOf(id, deps),
    review: (id, plan) => reviewChanges(id, plan, documents),
    choose: chooseChanges,
    apply: async (changes, tells) => {
      const deleted = await keepDeleted(changes, isUnsaved);
      await applyChanges(changes);
      if (tells) void tellApplied(changes.length, deleted);
    },
  };
}

const requestOf = (path: string): string | undefined => resultIdOf(path) ?? proposedIdOf(path);

function activeDiff() {
  const input: unknown = window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof TabInputTextDiff ? input.modified : undefined;
}

async function planOf(id: string, { answered, llm, folders }: Deps): Promise<Plan> {
  const text = await answered.text(id);
  const { reason } = (await answered.find(id)).result;
  const { metadata } = await llm.inputOf(id);
  const subject = subjectOf(metadata, folders());
  return planAnswer(
    { text, reason },
    { folders: folders(), ...(subject ? { subject } : {}), read: currentText, t: l10n.t },
  );
}

/** The file that a prompt was run on, where it lies in an open folder: the innermost, for folders may lie within others. */
function subjectOf(metadata: unknown, folders: readonly string[]) {
  const path =
    typeof metadata === "object" && metadata !== null && "file" in metadata ? metadata.file : undefined;
  if (typeof path !== "string") return undefined;
  const inside = innermost(folders, path);
  return inside && { path, folder: inside.folder };
}
