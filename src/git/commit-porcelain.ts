import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BranchContent } from "./branch-content.ts";
import { dependencyFailure } from "./commit-fast.ts";
import { indexInfo, parseRawDiff, same, textOf } from "./entries.ts";
import type { EntryChange } from "./entries.ts";
import { failureOf, GitError } from "./git-error.ts";
import type { Failure } from "./git-error.ts";
import { syncIndex } from "./index-sync.ts";
import { waitForLock } from "./locks.ts";
import { failed, refChange, succeeded } from "./outcomes.ts";
import { orUndefined, pathOf } from "./payload.ts";
import type { CommitOperation } from "./payload.ts";
import type { CommitStep } from "./plan.ts";
import { moveRefs, readRefs, shortName, ZERO } from "./refs.ts";
import type { Worktree } from "./repository.ts";
import { rewritesBefore, rewritesOf } from "./rewrites.ts";
import type { Run } from "./run.ts";
import { endError } from "./runner.ts";
import { undoMoves } from "./undo-refs.ts";
import { exists } from "./worktree-state.ts";

/** The plan of a `commit` effect: one `git commit` with hooks. */
export interface CommitPlan {
  readonly id: string;
  readonly worktree: string;
  readonly ref: string;
  readonly old: string;
}

/** What the reflog says of a commit made for this operation. */
export const reflogAction = (id: string): string => `batch-control:${id}`;

const MAX_HOOK_OUTPUT = 64 * 1024;
const MAX_ATTEMPTS = 3;

/** One `git commit` per operation, so that hooks and signing run; never two at once in one clone. */
export async function commitPorcelain(
  run: Run,
  step: CommitStep,
  dependencies: ReadonlyMap<string, readonly string[]>,
  undoKnown: Set<string>,
  why: string,
): Promise<void> {
  const { worktree } = step;
  if (!worktree?.gitDir) {
    const error = `${shortName(step.branch)} is not checked out, and ${why}, which needs a working tree; check it out and retry`;
    await run.fail(
      step.operations.filter((item) => run.isOpen(item)),
      { reason: "not-checked-out", error },
    );
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), "batch-control-commit-"));
  try {
    for (const operation of step.operations) {
      if (!run.isOpen(operation)) continue;
      run.stopHere();
      const broken = dependencies.get(operation.operation.id)?.find((id) => run.hasFailed(id));
      if (broken !== undefined) await run.fail([operation], dependencyFailure(broken));
      else
        await new PorcelainCommit(
          run,
          operation,
          { ...worktree, gitDir: worktree.gitDir },
          folder,
          undoKnown,
          why,
        ).make();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

class PorcelainCommit {
  readonly #run: Run;
  readonly #operation: CommitOperation;
  readonly #worktree: Worktree & { readonly gitDir: string };
  readonly #folder: string;
  readonly #undoKnown: Set<string>;
  readonly #why: string;
  readonly #timeoutMs: number;

  constructor(
    run: Run,
    operation: CommitOperation,
    worktree: Worktree & { readonly gitDir: string },
    folder: string,
    undoKnown: Set<string>,
    why: string,
  ) {
    this.#run = run;
    this.#operation = operation;
    this.#worktree = worktree;
    this.#folder = folder;
    this.#undoKnown = undoKnown;
    this.#why = why;
    this.#timeoutMs = run.deps.settings(worktree.path).commitTimeout * 1000;
  }

  async make(): Promise<void> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      try {
        if ((await this.#attempt()) === "settled") return;
      } catch (error) {
        if (!(error instanceof GitError) || this.#run.signal.aborted) throw error;
        await this.#run.fail([this.#operation], failureOf(error));
        return;
      }
    }
    const error = `${shortName(this.#operation.branch)} keeps moving; try again`;
    await this.#run.fail([this.#operation], { reason: "moved", error });
  }

  async #attempt(): Promise<"settled" | "moved"> {
    const { git } = this.#run;
    const { branch } = this.#operation;
    const cwd = this.#worktree.path;
    await waitForLock(this.#run, this.#worktree);
    const tip = (await readRefs(git, cwd, branch)).get(branch);
    const problem =
      (await this.#checkHead()) ??
      (await BranchContent.read(git, cwd, branch, tip, [this.#operation])).check(
        this.#operation,
        await rewritesBefore(this.#run, this.#operation),
      );
    if (problem) {
      await this.#run.fail([this.#operation], problem);
      return "settled";
    }
    const index = await this.#temporaryIndex(tip);
    const message = join(this.#folder, "message");
    await writeFile(message, this.#operation.message);
    const plan: CommitPlan = {
      id: this.#operation.operation.id,
      worktree: cwd,
      ref: branch,
      old: tip ?? ZERO,
    };
    const n = await this.#run.intent("commit", plan);
    const args = this.#arguments(message);
    const end = await git.run(cwd, args, {
      env: { GIT_INDEX_FILE: index, GIT_REFLOG_ACTION: reflogAction(plan.id) },
      signal: this.#run.signal,
      timeoutMs: this.#timeoutMs,
      maxOutput: MAX_HOOK_OUTPUT,
      onStart: this.#run.onStart(n),
    });
    const output = `${end.stdout.toString("utf8")}${end.stderr}`.trim();
    const made = (await readRefs(git, cwd, branch)).get(branch);
    if (made === undefined || made === tip || !(await this.#isOurs(made))) {
      if (end.stopped === "abort") throw this.#run.signal.reason;
      const error = endError(args, end);
      const failure: Failure = {
        reason:
          end.stopped === "timeout"
            ? "timeout"
            : error.reason === "git-failed"
              ? "commit-refused"
              : error.reason,
        error:
          end.stopped === "timeout"
            ? `git commit took longer than ${this.#timeoutMs / 1000} s`
            : (firstLine(output) ?? error.message),
        detail: { engine: "porcelain", output },
      };
      await this.#run.outcome({
        effect: { n, state: "failed", result: failure },
        settled: [failed(this.#operation, failure)],
      });
      return "settled";
    }
    const parent = await this.#parentOf(made);
    if (parent !== tip) {
      // HEAD moved between our reading it and git doing so: this commit would take back what came in between.
      await moveRefs(
        git,
        cwd,
        [{ ref: branch, old: made, next: parent ?? ZERO }],
        reflogAction(`${plan.id} taken back`),
      );
      await this.#run.outcome({ effect: { n, state: "abandoned" } });
      return "moved";
    }
    await this.#finish(n, tip, made, output);
    return "settled";
  }

  #arguments(message: string): readonly string[] {
    const { allowEmpty, signoff } = this.#operation;
    return [
      // A reflog entry with our id is how a restart finds this commit.
      ...["-c", "core.logAllRefUpdates=true", "-c", "gc.auto=0", "-c", "maintenance.auto=false"],
      ...["commit", "--no-status", "-F", message],
      ...(allowEmpty ? ["--allow-empty"] : []),
      ...(signoff ? ["--signoff"] : []),
    ];
  }

  /** `git commit` commits to whatever is checked out, so that must still be the branch. */
  async #checkHead(): Promise<Failure | undefined> {
    const end = await this.#run.git.run(this.#worktree.path, ["symbolic-ref", "-q", "HEAD"]);
    const head = end.stdout.toString("utf8").trim();
    if (head === this.#operation.branch) return undefined;
    const now = head === "" ? "no branch" : shortName(head);
    const error = `${this.#worktree.path} has ${now} checked out now, not ${shortName(this.#operation.branch)}`;
    return { reason: "branch-changed", error };
  }

  /** A copy of the real index, with what else is staged taken out and the pinned content put in. */
  async #temporaryIndex(tip: string | undefined): Promise<string> {
    const { git } = this.#run;
    const cwd = this.#worktree.path;
    const index = join(this.#folder, "index");
    await rm(index, { force: true });
    const real = join(this.#worktree.gitDir, "index");
    if (await exists(real)) await copyFile(real, index);
    const env = { GIT_INDEX_FILE: index };
    const staged = tip === undefined ? await this.#unbornStaged(env) : await this.#stagedBesides(tip, env);
    const ours = this.#operation.changes.map((change) => [pathOf(change), orUndefined(change.now)] as const);
    const input = Buffer.concat([
      indexInfo(staged.map(({ path, before }) => [path, before] as const)),
      indexInfo(ours),
    ]);
    await git.must(cwd, ["update-index", "-z", "--index-info"], { env, input });
    return index;
  }

  async #stagedBesides(tip: string, env: Readonly<Record<string, string>>): Promise<readonly EntryChange[]> {
    const args = ["diff-index", "--cached", "--raw", "-z", "--no-renames", "--no-abbrev", tip, "--"];
    return parseRawDiff(await this.#run.git.must(this.#worktree.path, args, { env }));
  }

  async #unbornStaged(env: Readonly<Record<string, string>>): Promise<readonly EntryChange[]> {
    const output = (
      await this.#run.git.must(this.#worktree.path, ["ls-files", "-z", "--full-name"], { env })
    ).toString("latin1");
    const paths = output.split("\0").filter((path) => path !== "");
    return paths.map((path) => ({ path, before: undefined, after: undefined }));
  }

  async #isOurs(commit: string): Promise<boolean> {
    const { branch, operation } = this.#operation;
    return (await commitsInReflog(this.#run, this.#worktree.path, branch, operation.id)).includes(commit);
  }

  async #parentOf(commit: string): Promise<string | undefined> {
    const output = await this.#run.git.must(this.#worktree.path, [
      "rev-list",
      "--parents",
      "-n",
      "1",
      commit,
      "--",
    ]);
    return output.toString("latin1").trim().split(" ")[1];
  }

  async #finish(n: number, tip: string | undefined, made: string, output: string): Promise<void> {
    const { branch } = this.#operation;
    const changes = await finishCommit(
      this.#run,
      n,
      this.#operation,
      this.#worktree.path,
      tip,
      made,
      this.#undoKnown,
    );
    const detail = {
      engine: "porcelain",
      because: this.#why,
      ...(output === "" ? {} : { output }),
      ...changes,
    };
    await this.#run.outcome({
      effect: { n, state: "done", result: { commit: made } },
      settled: [succeeded(this.#operation, { commit: made, refs: [refChange(branch, tip, made)], detail })],
    });
  }
}

/** After a commit with hooks: notes how to undo it, lets the index follow, answers what hooks changed. */
export async function finishCommit(
  run: Run,
  n: number,
  operation: CommitOperation,
  worktree: string,
  old: string | undefined,
  made: string,
  undoKnown: Set<string>,
): Promise<{ readonly hookChanges?: readonly string[]; readonly warning?: string }> {
  const { git } = run;
  const move = { ref: operation.branch, old: old ?? ZERO, next: made };
  await run.patiently(() =>
    moveRefs(git, run.commonDir, undoMoves(run.batch.id, [move], undoKnown), "batch-control: undo", (pid) =>
      run.noteStart(n, pid),
    ),
  );
  undoKnown.add(operation.branch);
  const range = old === undefined ? ["--root", made] : [old, made];
  const raw = [
    "diff-tree",
    "-r",
    "--raw",
    "-z",
    "--no-renames",
    "--no-abbrev",
    "--no-commit-id",
    ...range,
    "--",
  ];
  const changes = parseRawDiff(await git.must(worktree, raw));
  const pinned = new Map(operation.changes.map((change) => [pathOf(change), change]));
  const byHooks = changes.filter(({ path, after }) => {
    const change = pinned.get(path);
    return !change || !same(after, orUndefined(change.now));
  });
  const updates = new Map(
    changes.map(({ path, before, after }) => {
      const change = pinned.get(path);
      const replaceable = change ? [before, orUndefined(change.index)] : [before];
      return [path, { next: after, replaceable }] as const;
    }),
  );
  const hookChanges =
    byHooks.length > 0
      ? { hookChanges: byHooks.map(({ path }) => textOf(path)), rewritten: rewritesOf(byHooks, pinned) }
      : {};
  try {
    await run.patiently(() => syncIndex(git, worktree, updates));
    return hookChanges;
  } catch (error) {
    return {
      ...hookChanges,
      warning: `the index of ${worktree} could not be brought up to date: ${failureOf(error).error}`,
    };
  }
}

/** The commits that the reflog of a branch attributes to an operation, newest first. */
export async function commitsInReflog(
  run: Run,
  cwd: string,
  branch: string,
  id: string,
): Promise<readonly string[]> {
  const end = await run.git.run(cwd, ["log", "-g", "--format=%H %gs", branch, "--"]);
  const lines = end.stdout.toString("utf8").split("\n");
  return lines.filter((line) => line.slice(41).startsWith(reflogAction(id))).map((line) => line.slice(0, 40));
}

const firstLine = (output: string): string | undefined =>
  output
    .split("\n")
    .find((line) => line.trim() !== "")
    ?.trim();
