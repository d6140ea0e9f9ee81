import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Tested } from "./bisect.ts";
import { scrubbedEnvironment } from "./environment.ts";
import { GitError } from "./git-error.ts";
import { plainText } from "./plain-text.ts";
import type { Run } from "./run.ts";
import type { GitSettings } from "./settings.ts";
import { runProcess } from "./spawn.ts";
import { exists } from "./worktree-state.ts";

/** How much of a command's output is kept: its end tells most. */
const MAX_KEPT = 32 * 1024;
const quietly = [
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "advice.detachedHead=false",
  "-c",
  "gc.auto=0",
  "-c",
  "maintenance.auto=false",
];

/** The one kept worktree of a repository in which the user's command tests what is about to land. */
export class VerifyWorktree {
  readonly #run: Run;
  readonly #settings: GitSettings;
  readonly #path: string;
  readonly #byTree = new Map<string, Tested>();
  #prepared = false;

  constructor(run: Run, settings: GitSettings) {
    this.#run = run;
    this.#settings = settings;
    this.#path = join(run.commonDir, "batch-control", "verify");
  }

  /** Runs the command on a commit; what it said of the same tree before counts, unless a fresh answer is wanted. */
  async test(commit: string, fresh: boolean): Promise<Tested> {
    const args = ["rev-parse", "--verify", "--end-of-options", `${commit}^{tree}`];
    const tree = (await this.#run.git.must(this.#run.commonDir, args)).toString("latin1").trim();
    const known = this.#byTree.get(tree);
    if (known && !fresh) return known;
    await this.#checkOut(commit);
    if (!this.#prepared && this.#settings.verifyPrepare !== "") {
      const prepared = await this.#command(this.#settings.verifyPrepare);
      if (!prepared.passed)
        throw new GitError(
          "verify-prepare-failed",
          `batchControl.git.verifyPrepare failed: ${lastLine(prepared.output)}`,
        );
      this.#prepared = true;
    }
    const tested = await this.#command(this.#settings.verifyCommand);
    this.#byTree.set(tree, tested);
    return tested;
  }

  /** What a crash has left there, half a checkout included, is put right; ignored files, such as installed packages, stay. */
  async #checkOut(commit: string): Promise<void> {
    const { git, commonDir, signal } = this.#run;
    if (!(await exists(join(this.#path, ".git")))) {
      await mkdir(join(commonDir, "batch-control"), { recursive: true });
      await git.must(commonDir, ["worktree", "prune"]);
      await git.must(
        commonDir,
        [...quietly, "worktree", "add", "--force", "--detach", "-q", this.#path, commit],
        { signal },
      );
      return;
    }
    await git.must(this.#path, [...quietly, "checkout", "--force", "--detach", "-q", commit], { signal });
    await git.must(this.#path, ["clean", "-fdq"], { signal });
  }

  async #command(command: string): Promise<Tested> {
    const { context, signal, deps } = this.#run;
    const n = await this.#run.intent("verify", { command, worktree: this.#path });
    const tail = new Tail(MAX_KEPT);
    const windows = process.platform === "win32";
    const shell = windows ? "cmd.exe" : (deps.processEnvironment["SHELL"] ?? "/bin/sh");
    context.log.info(`verifying: ${command}`);
    const end = await runProcess({
      command: shell,
      args: windows ? ["/d", "/s", "/c", command] : ["-c", command],
      cwd: this.#path,
      env: scrubbedEnvironment(deps.processEnvironment),
      signal,
      timeoutMs: this.#settings.verifyTimeout * 1000,
      maxOutput: 0,
      onStart: this.#run.onStart(n),
      onOutput: (chunk) => {
        tail.add(chunk);
        context.log.debug(chunk.toString("utf8").trimEnd());
      },
    });
    await this.#run.outcome({ effect: { n, state: "done", result: { exitCode: end.exitCode } } });
    if (end.stopped === "abort") throw signal.reason;
    if (end.exitCode === 0) return { passed: true };
    const late = end.stopped === "timeout" ? `\nstopped after ${this.#settings.verifyTimeout} s` : "";
    return { passed: false, output: plainText(`${tail.text()}${late}`).trim() };
  }
}

export const lastLine = (output: string): string => output.trim().split("\n").at(-1) ?? "";

class Tail {
  readonly #cap: number;
  #kept = Buffer.alloc(0);

  constructor(cap: number) {
    this.#cap = cap;
  }

  add(chunk: Buffer): void {
    this.#kept = Buffer.concat([this.#kept, chunk]).subarray(-this.#cap);
  }

  text(): string {
    return this.#kept.toString("utf8");
  }
}
