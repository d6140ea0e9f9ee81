import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { BranchContent } from "./branch-content.ts";
import { afterCommit } from "./commit-outcome.ts";
import type { CommitPlan, PorcelainOptions } from "./commit-outcome.ts";
import { CommitReader } from "./commit-reader.ts";
import { commitFormat, madeFor, reflogAction } from "./commit-reflog.ts";
import type { MadeCommit } from "./commit-reflog.ts";
import { indexInfo, parseRawDiff, same } from "./entries.ts";
import type { Entry, PathKey } from "./entries.ts";
import { failureOf, GitError } from "./git-error.ts";
import type { Failure } from "./git-error.ts";
import { copyIndex, signatureOf, swapIndex } from "./index-swap.ts";
import type { Signature } from "./index-swap.ts";
import { followIndex } from "./index-sync.ts";
import { waitForLock } from "./locks.ts";
import { failed, refChange, succeeded, warned } from "./outcomes.ts";
import { orUndefined, pathOf } from "./payload.ts";
import type { CommitOperation } from "./payload.ts";
import { plainText } from "./plain-text.ts";
import { readRefs, shortName, ZERO } from "./refs.ts";
import { rewritesBefore } from "./rewrites.ts";
import type { Run } from "./run.ts";
import { endError } from "./runner.ts";
import { changesTo, settleCommit, takeBack } from "./settle-commit.ts";
import { noteUndo } from "./undo-notes.ts";
import type { ProcessEnd } from "./spawn.ts";

export interface SessionPlace {
  readonly branch: string;
  readonly worktree: string;
  readonly gitDir: string;
  /** For the temporary index and the message. */
  readonly folder: string;
  readonly operations: readonly CommitOperation[];
}

/** What the next commit stands on. */
interface Ground {
  readonly tip: string | undefined;
  readonly content: BranchContent;
  /** What the real index holds that the branch does not, by path. */
  readonly staged: Map<PathKey, Entry | undefined>;
  /** The real index as it was copied or written last. */
  seen: Signature;
  /** What is still to be taken out of the copy. */
  besides: readonly (readonly [PathKey, Entry | undefined])[];
}

const MAX_HOOK_OUTPUT = 64 * 1024;
const MAX_ATTEMPTS = 3;

/** Commits one after the other in one worktree, from one temporary index that moves on with them. */
export class CommitSession {
  readonly #run: Run;
  readonly #place: SessionPlace;
  readonly #options: PorcelainOptions;
  readonly #timeoutMs: number;
  readonly #index: string;
  readonly #realIndex: string;
  readonly #reader: CommitReader;
  #ground: Ground | undefined;
  /** `old`: what the branch was before the first. */
  #made: { readonly old: string | undefined; readonly first: string; readonly last: string } | undefined;

  constructor(run: Run, place: SessionPlace, options: PorcelainOptions) {
    this.#run = run;
    this.#place = place;
    this.#options = options;
    this.#timeoutMs = run.deps.settings(place.worktree).commitTimeout * 1000;
    this.#index = join(place.folder, "index");
    this.#realIndex = join(place.gitDir, "index");
    const { commonDir, git, signal } = run;
    this.#reader = new CommitReader(git, { commonDir, cwd: place.folder }, commitFormat, signal);
  }

  async commit(operation: CommitOperation): Promise<void> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      try {
        if ((await this.#attempt(operation)) === "settled") return;
      } catch (error) {
        this.#ground = undefined;
        if (!(error instanceof GitError) || this.#run.signal.aborted) throw error;
        await this.#run.fail([operation], failureOf(error));
        return;
      }
    }
    await this.#run.fail([operation], {
      reason: "moved",
      error: `${shortName(this.#place.branch)} keeps moving; try again`,
    });
  }

  /** Notes where the branch ended, so that the batch can be undone. */
  async end(): Promise<void> {
    if (!this.#made || this.#made.first === this.#made.last) return;
    const { old, last } = this.#made;
    // With where it began, if that could not be noted before: an end alone says that the batch created the branch.
    await noteUndo(this.#run, this.#place.branch, old, last, this.#options.undoKnown);
  }

  /** Ends what it has started. */
  close(): Promise<void> {
    return this.#reader.close();
  }

  async #attempt(operation: CommitOperation): Promise<"settled" | "moved"> {
    const { git } = this.#run;
    const { branch, worktree, gitDir } = this.#place;
    await waitForLock(this.#run, gitDir);
    const ground = await this.#stand();
    if (await this.#cameLate(operation)) return this.#run.isOpen(operation) ? "moved" : "settled";
    const problem =
      (await this.#checkHead()) ??
      ground.content.check(operation, this.#options.lost, await rewritesBefore(this.#run, operation));
    if (problem) {
      await this.#run.fail([operation], problem);
      return "settled";
    }
    const args = await this.#prepare(operation, ground);
    const plan: CommitPlan = { id: operation.operation.id, worktree, ref: branch, old: ground.tip ?? ZERO };
    const n = await this.#run.intent("commit", plan);
    const end = await git.run(worktree, args, {
      env: { GIT_INDEX_FILE: this.#index, GIT_REFLOG_ACTION: reflogAction(plan.id) },
      signal: this.#run.signal,
      timeoutMs: this.#timeoutMs,
      maxOutput: MAX_HOOK_OUTPUT,
      keep: "both-ends",
      onStart: this.#run.onStart(n),
    });
    const { tip } = ground;
    const sought = { operation, branch, tip, succeeded: end.exitCode === 0 };
    const made = await madeFor(this.#run, worktree, sought, this.#reader);
    if (!made) {
      this.#ground = undefined;
      if (end.stopped === "abort") throw this.#run.signal.reason;
      const failure = this.#refusal(args, end);
      await this.#run.outcome({
        effect: { n, state: "failed", result: failure },
        settled: [failed(operation, failure)],
      });
      return "settled";
    }
    if (made.parent !== tip) {
      // HEAD moved between our reading it and git doing so: this commit would take back what came in between.
      this.#ground = undefined;
      await takeBack(this.#run, n, operation, worktree, branch, made);
      return this.#run.isOpen(operation) ? "moved" : "settled";
    }
    await this.#finish(operation, n, ground, made, end);
    return "settled";
  }

  /** A git that an earlier window started, and that nobody could wait for, may have committed only now. */
  async #cameLate(operation: CommitOperation): Promise<boolean> {
    const { unwatched, deps } = this.#run;
    for (const plan of unwatched.get(operation.operation.id) ?? []) {
      const n = await this.#run.intent("commit", plan);
      if (!(await settleCommit(this.#run, { n, at: deps.clock.now() }, plan, this.#options.undoKnown)))
        continue;
      this.#ground = undefined;
      return true;
    }
    return false;
  }

  /** Reads branch and index anew unless both are as the last commit left them. */
  async #stand(): Promise<Ground> {
    const { git } = this.#run;
    const { branch, worktree, operations } = this.#place;
    const seen = await signatureOf(this.#realIndex);
    if (this.#ground?.seen === seen && this.#ground !== undefined) return this.#ground;
    const tip = (await readRefs(git, worktree, branch)).get(branch);
    const open = operations.filter((item) => this.#run.isOpen(item));
    const content = await BranchContent.read(git, worktree, branch, tip, open);
    await rm(this.#index, { force: true });
    if (seen !== undefined) await copyIndex(this.#realIndex, this.#index);
    const besides = await this.#stagedBesides(tip);
    const staged = new Map(besides.map(({ path, after }) => [path, after]));
    this.#ground = { tip, content, staged, seen, besides: besides.map(({ path, before }) => [path, before]) };
    return this.#ground;
  }

  async #stagedBesides(
    tip: string | undefined,
  ): Promise<readonly { path: PathKey; before: Entry | undefined; after: Entry | undefined }[]> {
    const { git } = this.#run;
    const { worktree } = this.#place;
    const env = { GIT_INDEX_FILE: this.#index };
    if (tip !== undefined) {
      const args = ["diff-index", "--cached", "--raw", "-z", "--no-renames", "--no-abbrev", tip, "--"];
      return parseRawDiff(await git.must(worktree, args, { env }));
    }
    const output = (await git.must(worktree, ["ls-files", "-s", "-z", "--full-name"], { env })).toString(
      "latin1",
    );
    return output
      .split("\0")
      .filter((record) => record !== "")
      .map((record) => {
        const tab = record.indexOf("\t");
        const [mode = "", oid = ""] = record.slice(0, tab).split(" ");
        return { path: record.slice(tab + 1), before: undefined, after: { mode, oid } };
      });
  }

  /** Puts the pinned content into the temporary index; answers the command. */
  async #prepare(operation: CommitOperation, ground: Ground): Promise<readonly string[]> {
    const ours = operation.changes.map((change) => [pathOf(change), orUndefined(change.now)] as const);
    // On an unborn branch all that can go is what is staged.
    const like = ground.tip ?? [...ground.staged.values()].find((entry) => entry)?.oid;
    const input = Buffer.concat([indexInfo(ground.besides, like), indexInfo(ours, like)]);
    await this.#run.git.must(this.#place.worktree, ["update-index", "-z", "--index-info"], {
      env: { GIT_INDEX_FILE: this.#index },
      input,
    });
    ground.besides = [];
    const message = join(this.#place.folder, "message");
    await writeFile(message, operation.message);
    return [
      // A reflog entry with our id is how a restart finds this commit.
      ...["-c", "core.logAllRefUpdates=true", "-c", "gc.auto=0", "-c", "maintenance.auto=false"],
      ...["commit", "--no-status", "-F", message],
      ...(operation.allowEmpty ? ["--allow-empty"] : []),
      ...(operation.signoff ? ["--signoff"] : []),
    ];
  }

  /** `git commit` commits to whatever is checked out, so that must still be the branch. */
  async #checkHead(): Promise<Failure | undefined> {
    const { branch, worktree, gitDir } = this.#place;
    let head = /^ref: (.+?)\s*$/.exec(await readFile(join(gitDir, "HEAD"), "utf8"))?.[1] ?? "";
    if (head === "refs/heads/.invalid") {
      // A reftable repository keeps HEAD elsewhere.
      head = (await this.#run.git.run(worktree, ["symbolic-ref", "-q", "HEAD"])).stdout
        .toString("utf8")
        .trim();
    }
    if (head === branch) return undefined;
    const now = head === "" ? "no branch" : shortName(head);
    return {
      reason: "branch-changed",
      error: `${worktree} has ${now} checked out now, not ${shortName(branch)}`,
    };
  }

  #refusal(args: readonly string[], end: ProcessEnd): Failure {
    const output = outputOf(end);
    const detail = { engine: "porcelain", output };
    if (end.stopped === "timeout") {
      return { reason: "timeout", error: `git commit took longer than ${this.#timeoutMs / 1000} s`, detail };
    }
    const { reason, message } = endError(args, end);
    if (reason !== "git-failed") return { reason, error: message, detail };
    if (/^fatal: cannot lock ref 'HEAD': .* but expected/m.test(output)) {
      const name = shortName(this.#place.branch);
      const error = `${name} moved while git commit ran, perhaps by a hook that commits; git refused it`;
      return { reason: "moved", error, detail };
    }
    if (end.exitCode === 0) {
      const error = `git commit succeeded, but ${shortName(this.#place.branch)} does not have the commit; a hook may have taken it away`;
      return { reason: "moved", error, detail };
    }
    return {
      reason: "commit-refused",
      error: output === "" ? message : (output.split("\n")[0] ?? ""),
      detail,
    };
  }

  async #finish(
    operation: CommitOperation,
    n: number,
    ground: Ground,
    made: MadeCommit,
    end: ProcessEnd,
  ): Promise<void> {
    const { branch, worktree } = this.#place;
    const { detail } = afterCommit(operation, made.changes);
    const changes = await changesTo(this.#run, worktree, made, made.top);
    const { updates } = afterCommit(operation, changes);
    const { undoKnown } = this.#options;
    const unnoted = this.#made
      ? undefined
      : await noteUndo(this.#run, branch, ground.tip, made.oid, undoKnown, n);
    const { old, first } = this.#made ?? { old: ground.tip, first: made.oid };
    this.#made = { old, first, last: made.oid };
    const { swapped, behind } = await this.#bringIndexForward(operation, ground, updates);
    ground.content.apply(made.changes.map(({ path, after }) => [path, after] as const));
    const seen = await signatureOf(this.#realIndex);
    // What a hook committed on top has to be read, and so has what somebody staged meanwhile: the copy does not have it.
    const known = made.top === made.oid && (swapped || !this.#options.swaps);
    this.#ground = known ? { ...ground, tip: made.oid, seen } : undefined;
    const output = outputOf(end);
    const more = { ...(output === "" ? {} : { output }), ...warned(unnoted, behind) };
    const success = {
      commit: made.oid,
      refs: [refChange(branch, ground.tip, made.oid)],
      detail: { engine: "porcelain", because: this.#options.why, ...more, ...detail },
    };
    await this.#run.outcome({
      effect: { n, state: "done", result: { commit: made.oid } },
      settled: [succeeded(operation, success)],
    });
  }

  /** Where nothing else is staged the temporary index is what the real one has to become. */
  async #bringIndexForward(
    operation: CommitOperation,
    { staged, seen }: Ground,
    updates: Parameters<typeof followIndex>[2],
  ): Promise<{ readonly swapped: boolean; readonly behind?: string }> {
    const recorded = new Map(operation.changes.map((change) => [pathOf(change), orUndefined(change.index)]));
    const ours = [...staged].every(([path, entry]) => recorded.has(path) && same(recorded.get(path), entry));
    const swapped =
      this.#options.swaps && ours && (await swapIndex(this.#realIndex, this.#index, seen).catch(() => false));
    const behind = swapped ? undefined : await followIndex(this.#run, this.#place.worktree, updates);
    if (behind === undefined) for (const path of updates.keys()) staged.delete(path);
    return { swapped, ...(behind === undefined ? {} : { behind }) };
  }
}

const outputOf = ({ stdout, stderr }: ProcessEnd): string =>
  plainText(`${stdout.toString("utf8")}${stderr}`).trim();
