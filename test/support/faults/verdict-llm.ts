import type { LlmStats } from "../../../src/core/stats.ts";
import type { ServerBatch } from "../simulator/index.ts";
import type { Kept } from "./verdict.ts";
import { compare } from "./verdict-git.ts";
import type { World } from "./world.ts";

/** Everything at the provider that does not follow from what was asked for, once each. */
export async function providerProblems(
  { simulator }: World,
  kept: readonly Kept[],
  stats: LlmStats,
): Promise<readonly string[]> {
  const problems: string[] = [];
  const requests = kept.filter(({ wish }) => wish.llm !== undefined);
  const paid = simulator.batches.filter(({ status }) => !status.startsWith("cancel"));
  const sent = new Map<string, number>();
  for (const batch of paid)
    for (const prompt of await promptsOf(batch)) sent.set(prompt, (sent.get(prompt) ?? 0) + 1);
  for (const { wish, result } of requests) {
    const times = [...sent]
      .filter(([text]) => text.includes(wish.llm?.prompt ?? ""))
      .reduce((sum, [, n]) => sum + n, 0);
    if (times !== 1) problems.push(`${wish.key} was sent ${times} times`);
    if (result.status === "succeeded" && (result.text ?? "") === "")
      problems.push(`${wish.key} has no answer`);
  }
  const answered = requests.filter(({ result }) => result.status === "succeeded").length;
  compare(problems, "answers", stats.apiCallsSaved + stats.apiCalls, answered);
  compare(problems, "API calls", stats.apiCalls, paid.length);
  return problems;
}

async function promptsOf(batch: ServerBatch): Promise<readonly string[]> {
  const sent = await Promise.all(batch.customIds.map((id) => batch.params(id)));
  return sent.map((params) => JSON.stringify(params ?? {}));
}
