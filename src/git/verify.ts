import { bisect } from "./bisect.ts";
import type { Verdict } from "./bisect.ts";
import { failureOf, GitError } from "./git-error.ts";
import type { Failure } from "./git-error.ts";
import type { Chain, Link } from "./merge-chain.ts";
import type { MergeOperation } from "./payload.ts";
import { shortName } from "./refs.ts";
import type { Run } from "./run.ts";
import { lastLine, VerifyWorktree } from "./verify-worktree.ts";

/**
 * Tests a chain before its target moves. What passes stays in the chain; who breaks it fails with the command's output.
 * `again` builds a chain of operations on top of a commit.
 */
export async function verifyChain(
  run: Run,
  chain: Chain,
  again: (start: string, operations: readonly MergeOperation[]) => Promise<Chain>,
): Promise<Chain> {
  const [first] = chain.links;
  if (!first || chain.links.every(({ old, next }) => old === next)) return chain;
  const settings = run.deps.settings(first.operation.worktree);
  if (settings.verifyCommand === "") return chain;
  const failures = new Map(chain.failures);
  const worktree = new VerifyWorktree(run, settings);
  try {
    const { verified, verdicts } = await bisect<Link>({
      links: chain.links,
      test: (link, fresh) => worktree.test(link?.next ?? chain.start, fresh),
      rebuild: async (kept, rest) => {
        const rebuilt = await again(
          kept.at(-1)?.next ?? chain.start,
          rest.map(({ operation }) => operation),
        );
        for (const [id, failure] of rebuilt.failures) failures.set(id, failure);
        return rebuilt.links;
      },
    });
    for (const verdict of verdicts) blame(verdict, failures);
    return { start: chain.start, links: verified, failures };
  } catch (error) {
    if (!(error instanceof GitError) || run.signal.aborted) throw error;
    for (const { operation } of chain.links) failures.set(operation.operation.id, failureOf(error));
    return { start: chain.start, links: [], failures };
  }
}

function blame(verdict: Verdict<Link>, failures: Map<string, Failure>): void {
  const detail = { verifyOutput: verdict.output };
  switch (verdict.kind) {
    case "culprit": {
      const { operation } = verdict.link;
      const error = `verification fails with ${shortName(operation.source)}: ${lastLine(verdict.output)}`;
      failures.set(operation.operation.id, { reason: "verify-failed", error, detail });
      break;
    }
    case "red-target":
      for (const { operation } of verdict.links) {
        const error = `verification fails on ${shortName(operation.target)} without any of these merges, so nothing was merged`;
        failures.set(operation.operation.id, { reason: "red-target", error, detail });
      }
      break;
    case "flaky":
      for (const { operation } of verdict.links) {
        const error = `verification of ${shortName(operation.target)} passes and fails on the same content, so nothing more was merged`;
        failures.set(operation.operation.id, { reason: "flaky", error, detail });
      }
  }
}
