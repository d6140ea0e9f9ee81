import type { CommitStep } from "./plan.ts";
import { needsPorcelain } from "./state.ts";
import type { RepositoryState } from "./state.ts";

/** Why a branch's commits have to be made with `git commit` itself; `undefined`: the fast way gives the same. */
export async function reasonForPorcelain(
  { operations }: CommitStep,
  state: RepositoryState,
): Promise<string | undefined> {
  if (operations.some(({ signoff }) => signoff)) return "a commit is signed off";
  for (const worktree of new Set(operations.map((item) => item.worktree))) {
    const why = await needsPorcelain(state.configs.get(worktree), state.commonDir, worktree);
    if (why !== undefined) return why;
  }
  return undefined;
}
