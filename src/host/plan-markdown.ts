import { isOverLimit } from "./flush-plan.ts";
import type { FlushPlan } from "./flush-plan.ts";
import { holdText } from "./hold-words.ts";
import type { Translate } from "./l10n.ts";
import type { Numbers } from "./numbers.ts";
import { codeSpan, escapeMarkdown } from "./markdown.ts";
import { failureText } from "./reason-words.ts";
import { folderOf, groupName } from "./words.ts";
import { basisText } from "./prompts/cost-text.ts";

/** The plan as a person reads it. */
export function planMarkdown(
  { git, llm, warnings, holds }: FlushPlan,
  t: Translate,
  numbers: Numbers,
  /** US dollars that requests may cost without a question; 0: any. */
  maxCostPerFlush: number,
): string {
  const lines = [`# ${t("What flushing would do")}`];
  if (git.length === 0 && llm.requests === 0)
    lines.push(t("Nothing is queued, so there is nothing to flush."));
  if (holds.length > 0)
    lines.push(`## ${t("On hold")}`, list(holds.map((hold) => escapeMarkdown(holdText(hold, t)))));
  for (const plan of git) lines.push(...gitLines(plan, t, numbers.count));
  if (llm.requests > 0) lines.push(...llmLines(llm, t, numbers, maxCostPerFlush));
  if (warnings.length > 0)
    lines.push(
      `## ${t("Warnings")}`,
      list(warnings.map((warning) => escapeMarkdown(failureText(warning, undefined, t)))),
    );
  return `${lines.join("\n\n")}\n`;
}

function gitLines(plan: FlushPlan["git"][number], t: Translate, count: Numbers["count"]): readonly string[] {
  const lines = [`## ${escapeMarkdown(groupName(plan.group))}`, codeSpan(folderOf(plan.group))];
  // First, for whoever reads only the beginning must not take it for a plan without trouble.
  if (plan.problems.length > 0) lines.push(...problemLines(plan.problems, t));
  for (const { branch, worktree, operations } of plan.commits) {
    lines.push(`### ${t("Commits on {0} in {1}", codeSpan(branch), codeSpan(worktree))}`);
    lines.push(
      list(
        operations.map(({ label, files }) => `${escapeMarkdown(label)} (${files.map(codeSpan).join(", ")})`),
      ),
    );
  }
  for (const { target, operations } of plan.merges) {
    lines.push(
      `### ${t("Merges into {0}", codeSpan(target))}`,
      list(operations.map(({ source, makes }) => `${codeSpan(source)} (${madeName(makes, t)})`)),
    );
  }
  for (const { url, refs, processes, atomic } of plan.pushes) {
    lines.push(`### ${t("Push to {0}", codeSpan(url))}`);
    lines.push(t("Runs of git push: {0}", count(processes)) + (atomic ? `, ${t("all or none")}` : ""));
    lines.push(
      list(
        refs.map(({ ref, lease }) => {
          // A tag keeps its full name, which tells it from a branch.
          const name = codeSpan(ref.replace(/^refs\/heads\//, ""));
          return lease ? t("{0}, forced with lease", name) : name;
        }),
      ),
    );
  }
  return lines;
}

function problemLines(problems: FlushPlan["git"][number]["problems"], t: Translate): readonly string[] {
  return [
    `### ${t("Would fail")}`,
    list(
      problems.map(
        ({ label, error, reason }) =>
          `**${escapeMarkdown(label)}**: ${escapeMarkdown(failureText(error, reason, t))}`,
      ),
    ),
  ];
}

/** What a merge would leave behind. */
function madeName(
  makes: FlushPlan["git"][number]["merges"][number]["operations"][number]["makes"],
  t: Translate,
): string {
  switch (makes) {
    case undefined:
      return t("would fail");
    case "merge-commit":
      return t("a merge commit");
    case "squash-commit":
      return t("one squashed commit");
    case "fast-forward":
      return t("a fast-forward");
    case "nothing":
      return t("nothing, it is merged already");
  }
}

function llmLines(
  llm: FlushPlan["llm"],
  t: Translate,
  { count, usd }: Numbers,
  maxCostPerFlush: number,
): readonly string[] {
  return [
    `## ${t("LLM requests")}`,
    list(
      llm.groups.map(({ group, requests, calls }) =>
        t("{0}: requests {1}, API calls {2}", codeSpan(groupName(group)), count(requests), count(calls)),
      ),
    ),
    t(
      "Estimated cost: {0} to {1} ({2})",
      usd(llm.leastUsd),
      usd(llm.estimatedCostUsd),
      basisText(llm.basis, t),
    ),
    ...(isOverLimit(llm, maxCostPerFlush)
      ? [
          t(
            "That may be more than the limit for one flush, {0} (setting {1}), so a flush by hand asks first, and an automatic one waits.",
            usd(maxCostPerFlush),
            codeSpan("batchControl.llm.maxCostPerFlush"),
          ),
        ]
      : []),
    ...(llm.unpriced > 0 ? [t("Requests of unknown price: {0}", count(llm.unpriced))] : []),
  ];
}

const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join("\n");
