import { commands, l10n, Uri, window } from "vscode";
import { Cancelled } from "../commands/cancelled.ts";
import type { FileQuestions } from "../commands/files.ts";
import { failureText } from "../reason-words.ts";
import { count } from "../ui/count.ts";
import { showMessage, showModalMessage } from "../ui/tell.ts";
import { watched } from "../ui/watched.ts";
import { listOf } from "./import.ts";

const jsonl = (): Record<string, string[]> => ({ [l10n.t("Requests, a line each")]: ["jsonl", "ndjson"] });

export const fileQuestions: FileQuestions = {
  async source() {
    const [chosen] =
      (await window.showOpenDialog({
        title: l10n.t("Import LLM Requests"),
        openLabel: l10n.t("Import"),
        filters: jsonl(),
      })) ?? [];
    if (!chosen) throw new Cancelled();
    return chosen.fsPath;
  },

  target: () => saveAs(l10n.t("Export LLM Results"), jsonl()),
  historyTarget: () =>
    saveAs(l10n.t("Export History"), {
      [l10n.t("Table, a batch each row")]: ["csv"],
      [l10n.t("All of it, operations included")]: ["json"],
    }),

  async skipBad(bad, good) {
    if (good === 0) {
      await showModalMessage({
        severity: "error",
        message: l10n.t("No line of this file is a request, so nothing was queued."),
        detail: failureText(listOf(bad), undefined, l10n.t),
      });
      throw new Cancelled();
    }
    const queue = l10n.t("Queue the Good Ones");
    const chosen = await showModalMessage(
      {
        severity: "warning",
        message: l10n.t(
          "Bad lines: {0}. Queue the {1} good ones without them?",
          count(bad.length),
          count(good),
        ),
        detail: failureText(listOf(bad), undefined, l10n.t),
      },
      queue,
    );
    if (chosen !== queue) throw new Cancelled();
    return true;
  },

  watched: (work) =>
    watched(l10n.t("Importing requests"), ({ signal, progress }) =>
      work({
        signal,
        progress: (step, share) => {
          if (step === "checking") progress(share / 2, l10n.t("checking every line"));
          else progress((1 + share) / 2, l10n.t("queueing"));
        },
      }),
    ),

  tellImported: ({ ids, bad }) => {
    const leftOut = bad.length === 0 ? [] : [l10n.t("Bad lines left out: {0}.", count(bad.length))];
    const message = [l10n.t("Requests queued: {0}.", count(ids.length)), ...leftOut].join(" ");
    const show = l10n.t("Show Queue");
    void showMessage({ severity: "information", message }, show).then(
      (chosen) => chosen && commands.executeCommand("batchControl.queue.focus"),
    );
  },
  tellExported: (file, many) => tellWritten(file, l10n.t("Results written: {0}.", count(many))),
  tellHistory: (file, many) => tellWritten(file, l10n.t("Batches written: {0}.", count(many))),
};

async function saveAs(title: string, filters: Record<string, string[]>): Promise<string> {
  const chosen = await window.showSaveDialog({ title, saveLabel: l10n.t("Export"), filters });
  if (!chosen) throw new Cancelled();
  return chosen.fsPath;
}

function tellWritten(file: string, message: string): void {
  const open = l10n.t("Open");
  void showMessage({ severity: "information", message }, open).then(
    (chosen) => chosen && commands.executeCommand("vscode.open", Uri.file(file)),
  );
}
