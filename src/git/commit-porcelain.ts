import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dependencyFailure } from "./dependencies.ts";
import { CommitSession } from "./commit-session.ts";
import type { PorcelainOptions } from "./commit-outcome.ts";
import type { Failure } from "./git-error.ts";
import type { CommitStep } from "./plan.ts";
import { shortName } from "./refs.ts";
import type { Run } from "./run.ts";

/** `git commit` needs a working tree. */
export const notCheckedOut = (branch: string, why: string): Failure => ({
  reason: "not-checked-out",
  error: `${shortName(branch)} is not checked out, and ${why}, which needs a working tree; check it out and retry`,
});

/** One `git commit` per operation, so that hooks and signing run; never two at once in one clone. */
export async function commitPorcelain(run: Run, step: CommitStep, options: PorcelainOptions): Promise<void> {
  const { worktree, branch } = step;
  const { gitDir } = worktree ?? {};
  if (!worktree || gitDir === undefined) {
    await run.fail(
      step.operations.filter((item) => run.isOpen(item)),
      notCheckedOut(branch, options.why),
    );
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), "batch-control-commit-"));
  let session: CommitSession | undefined;
  try {
    const open = step.operations.filter((item) => run.isOpen(item));
    const place = { branch, worktree: worktree.path, gitDir, folder, operations: open };
    session = new CommitSession(run, place, options);
    for (const operation of open) {
      run.stopHere();
      const broken = options.dependencies.get(operation.operation.id)?.find(({ id }) => run.hasFailed(id));
      if (broken !== undefined) await run.fail([operation], dependencyFailure(broken));
      else await session.commit(operation);
    }
    await session.end();
  } finally {
    await session?.close();
    await rm(folder, { recursive: true, force: true });
  }
}
