import { gitEnvironment } from "./environment.ts";
import { GitError } from "./git-error.ts";
import { Limiter } from "./limiter.ts";
import { runProcess } from "./spawn.ts";
import type { ProcessEnd, ProcessRequest } from "./spawn.ts";

export type GitRunOptions = Partial<Omit<ProcessRequest, "command" | "args" | "cwd" | "env">> & {
  readonly env?: Readonly<Record<string, string>>;
  /** It answers questions until its input ends, and takes no slot from those who ask them. */
  readonly standing?: boolean;
};

/** The only door to git. */
export interface GitRunner {
  /** A read whose output is UTF-8 text. Rejects with `GitError` unless git ended with 0. */
  read(cwd: string, args: readonly string[]): Promise<string>;
  /** Any git command with streams, bytes, signals; answers however it ended. */
  run(cwd: string, args: readonly string[], options?: GitRunOptions): Promise<ProcessEnd>;
  /** As `run`; rejects with `GitError` unless git ended with 0. */
  must(cwd: string, args: readonly string[], options?: GitRunOptions): Promise<Buffer>;
  /** Processes started so far. */
  readonly started: number;
  /** The user's environment names an ssh of its own. */
  readonly sshConfigured: boolean;
}

const MAX_PROCESSES = 6;
/** simple-git refuses to pass these on unless told: they are set by us or are the user's own. */
const unsafe = {
  allowUnsafeAskPass: true,
  allowUnsafeEditor: true,
  allowUnsafePager: true,
  allowUnsafeSshCommand: true,
  allowUnsafeConfigPaths: true,
};

export class ProcessGitRunner implements GitRunner {
  readonly #binary: () => string;
  readonly #base: Readonly<NodeJS.ProcessEnv>;
  readonly #extra: Readonly<Record<string, string>>;
  /** One for all repositories: simple-git's own limit is per instance. */
  readonly #limiter = new Limiter(MAX_PROCESSES);
  started = 0;

  /** `base` is the environment to clean and pass on; `extra` is set besides, as it is. */
  constructor(
    binary: () => string,
    base: Readonly<NodeJS.ProcessEnv>,
    extra: Readonly<Record<string, string>> = {},
  ) {
    this.#binary = binary;
    this.#base = base;
    this.#extra = extra;
  }

  get sshConfigured(): boolean {
    return this.#base["GIT_SSH"] !== undefined || this.#base["GIT_SSH_COMMAND"] !== undefined;
  }

  read(cwd: string, args: readonly string[]): Promise<string> {
    return this.#limiter.run(async () => {
      this.started += 1;
      const env = gitEnvironment(this.#base, { GIT_OPTIONAL_LOCKS: "0" });
      let failed: GitError | undefined;
      try {
        const { simpleGit } = await import("simple-git");
        const git = simpleGit({
          baseDir: cwd,
          binary: this.#binary(),
          unsafe: { ...unsafe, allowUnsafeCustomBinary: true },
          allowEnvironment: Object.keys(env).filter(
            (name) => name.startsWith("GIT_") || name.startsWith("SSH_"),
          ),
          // Its own rule takes a killed git, and one that fails silently, for a success.
          errors: (error, { exitCode, stdErr }) => {
            if (exitCode === 0) return undefined;
            failed = commandError(args, exitCode, Buffer.concat(stdErr).toString("utf8"));
            return error ?? failed;
          },
        });
        return await git.env(env).raw([...args]);
      } catch (error) {
        throw failed ?? new GitError("git-failed", error instanceof Error ? error.message : String(error));
      }
    });
  }

  run(cwd: string, args: readonly string[], options: GitRunOptions = {}): Promise<ProcessEnd> {
    const start = async (): Promise<ProcessEnd> => {
      this.started += 1;
      const { env, standing: _, ...rest } = options;
      try {
        return await runProcess({
          ...rest,
          command: this.#binary(),
          args,
          cwd,
          env: gitEnvironment(this.#base, { ...this.#extra, ...env }),
        });
      } catch (error) {
        throw new GitError("git-not-started", `git could not be started in ${cwd}: ${String(error)}`, "", {
          cause: error,
        });
      }
    };
    // What may take long, such as a push, keeps no slot that short reads wait for.
    return options.timeoutMs === undefined && options.standing !== true ? this.#limiter.run(start) : start();
  }

  async must(cwd: string, args: readonly string[], options: GitRunOptions = {}): Promise<Buffer> {
    const end = await this.run(cwd, args, options);
    if (end.exitCode !== 0) throw endError(args, end);
    if (end.truncated)
      throw new GitError("too-much-output", `git ${args[0] ?? ""} printed more than can be read.`);
    return end.stdout;
  }
}

/** The error for a process that did not end with 0. */
export function endError(args: readonly string[], end: ProcessEnd): GitError {
  if (end.stopped === "timeout")
    return new GitError("timeout", `git ${verb(args)} took too long and was stopped.`, end.stderr);
  if (end.stopped === "abort") return new GitError("stopped", `git ${verb(args)} was stopped.`, end.stderr);
  return commandError(args, end.exitCode, end.stderr);
}

function commandError(args: readonly string[], exitCode: number | null, stderr: string): GitError {
  const said = stderr.trim();
  const lock = lockPath(said);
  if (lock !== undefined) return new GitError("locked", `${lock} is held by another process.`, stderr);
  const how = exitCode === null ? "was killed" : `ended with ${exitCode}`;
  const unsafeOwner = said.includes("dubious ownership");
  return new GitError(
    unsafeOwner ? "unsafe-repository" : exitCode === null ? "killed" : "git-failed",
    said === "" ? `git ${verb(args)} ${how}.` : `git ${verb(args)}: ${said}`,
    stderr,
  );
}

/** The lock file that git found in its way, from its message. */
function lockPath(stderr: string): string | undefined {
  return (
    /Unable to create '(.+?\.lock)': File exists/.exec(stderr)?.[1] ??
    /could not lock (config file .+?): File exists/.exec(stderr)?.[1]
  );
}

/** The subcommand, past the global options. */
function verb(args: readonly string[]): string {
  const at = args.findIndex((arg, index) => !arg.startsWith("-") && args[index - 1] !== "-c");
  return args[at] ?? "";
}
