import { operationView } from "../../core/view.ts";
import type { Snapshot } from "../../core/snapshot.ts";
import type { CommandTable } from "../commands/command.ts";
import type { Translate } from "../l10n.ts";
import { escapeMarkdown } from "../markdown.ts";
import type { Parts } from "../parts.ts";
import { shortBatch } from "./short-state.ts";
import { fieldsOf, unlessAborted } from "./tool.ts";
import type { Tool } from "./tool.ts";
import type { RunTool } from "./table.ts";

/** Everything that is queued, by whomever; answers the batches, and what failed where it waited. */
export function flushTool(
  table: Pick<CommandTable, "flush">,
  journal: Pick<Parts["journal"], "operation">,
  snapshot: () => Snapshot,
  runTool: RunTool,
  t: Translate,
  count: (value: number) => string,
): Tool {
  return {
    prepare: (input) => {
      const { kind } = fieldsOf(input);
      const { git, llm } = snapshot();
      const lines = [
        ...(kind === "llm" ? [] : [t("Git operations that are queued: {0}", count(git.queuedCount))]),
        ...(kind === "git" ? [] : [t("Requests that are queued: {0}", count(llm.queuedCount))]),
        t("All of them are executed, whoever queued them."),
      ];
      return {
        message: t("Executing what is queued"),
        question: {
          title: t("Execute what is queued now?"),
          text: lines.map((line) => `- ${escapeMarkdown(line)}`).join("\n"),
        },
      };
    },
    run: async (input, agent, signal) => {
      const { batches, outcomes } = await unlessAborted(runTool("flush", table.flush, input, agent), signal);
      const told = { batches: batches.map(shortBatch) };
      return outcomes === undefined ? told : { ...told, outcomes, failed: await failures(outcomes, journal) };
    },
  };
}

/** What did not succeed, with what was said. */
async function failures(
  outcomes: Readonly<Record<string, string>>,
  journal: Pick<Parts["journal"], "operation">,
): Promise<readonly unknown[]> {
  const failed: unknown[] = [];
  for (const [id, status] of Object.entries(outcomes)) {
    if (status === "succeeded") continue;
    const stored = await journal.operation(id);
    if (stored) {
      const { kind, label, error, reason } = operationView(stored);
      failed.push({ id, kind, label, status, error, reason });
    }
  }
  return failed;
}
