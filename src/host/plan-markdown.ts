import type { FlushPlan } from "./flush-plan.ts";
import type { Translate } from "./l10n.ts";
import { escapeMarkdown } from "./markdown.ts";
import { basisText } from "./prompts/cost-text.ts";

/** The plan as a person reads it. */
export function planMarkdown({ git, llm, warnings }: FlushPlan, t: Translate): string {
  const lines = [`# ${t("What flushing would do")}`];
  if (git.length === 0 && llm.requests === 0)
    lines.push(t("Nothing is queued, so there is nothing to flush."));
  for (const plan of git) lines.push(...gitLines(plan, t));
  if (llm.requests > 0) lines.push(...llmLines(llm, t));
  if (warnings.length > 0) lines.push(`## ${t("Warnings")}`, list(warnings));
  return `${lines.join("\n\n")}\n`;
}

function gitLines(plan: FlushPlan["git"][number], t: Translate): readonly string[] {
  const lines = [`## ${escapeMarkdown(plan.group.replace(/^git:/, ""))}`];
  for (const { branch, worktree, operations } of plan.commits) {
    lines.push(`### ${t("Commits on {0} in {1}", escapeMarkdown(branch), escapeMarkdown(worktree))}`);
    lines.push(list(operations.map(({ label, files }) => `${label} (${files.join(", ")})`)));
  }
  for (const { target, operations } of plan.merges) {
    lines.push(
      `### ${t("Merges into {0}", escapeMarkdown(target))}`,
      list(operations.map(({ source, mode }) => `${source} (${mode})`)),
    );
  }
  for (const { url, refs, processes, atomic } of plan.pushes) {
    lines.push(`### ${t("Push to {0}", escapeMarkdown(url))}`);
    lines.push(t("Runs of git push: {0}", processes) + (atomic ? `, ${t("all or none")}` : ""));
    lines.push(list(refs.map(({ ref, lease }) => (lease ? t("{0}, forced with lease", ref) : ref))));
  }
  if (plan.problems.length > 0)
    lines.push(`### ${t("Would fail")}`, list(plan.problems.map(({ error }) => error)));
  return lines;
}

function llmLines(llm: FlushPlan["llm"], t: Translate): readonly string[] {
  return [
    `## ${t("LLM requests")}`,
    list(
      llm.groups.map(({ group, requests, calls }) =>
        t("{0}: requests {1}, API calls {2}", group, requests, calls),
      ),
    ),
    t(
      "Estimated cost: {0} to {1} USD ({2})",
      llm.leastUsd.toFixed(4),
      llm.estimatedCostUsd.toFixed(4),
      basisText(llm.basis, t),
    ),
    ...(llm.unpriced > 0 ? [t("Requests of unknown price: {0}", llm.unpriced)] : []),
  ];
}

const list = (items: readonly string[]): string =>
  items.map((item) => `- ${escapeMarkdown(item)}`).join("\n");
