import { realpath, stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { shown } from "./files.ts";
import { failureOf, GitError } from "./git-error.ts";
import type { Failure } from "./git-error.ts";
import type { GitRunner } from "./runner.ts";
import { busyOf, gitDirOf } from "./worktree-state.ts";
import type { Busy } from "./worktree-state.ts";

/** Where a path is: real paths, free of symbolic links. */
export interface Repository {
  /** Shared by all worktrees; names the lane. */
  readonly commonDir: string;
  readonly topLevel: string;
  /** This worktree's own administrative folder. */
  readonly gitDir: string;
}

export type ResolvedRepository =
  | ({ readonly kind: "repository" } & Repository)
  | { readonly kind: "problem"; readonly reason: string; readonly message: string };

export const laneOf = (commonDir: string): string => `git:${commonDir}`;
export const commonDirOf = (group: string): string => group.slice("git:".length);

export const repositoryGone = (commonDir: string): Failure => ({
  reason: "repository-gone",
  error: `the repository ${commonDir} is gone`,
});

/** The repository and worktree that an absolute path lies in. Expected trouble is a value. */
export async function resolveRepository(git: GitRunner, path: string): Promise<ResolvedRepository> {
  const problem = (reason: string, message: string): ResolvedRepository => ({
    kind: "problem",
    reason,
    message,
  });
  const name = shown(path);
  if (!isAbsolute(path))
    return problem("not-absolute", `${name} is not an absolute path; give the whole path of a worktree`);
  try {
    if (!(await stat(path)).isDirectory())
      return problem("not-a-folder", `${name} is not a folder; name the worktree's folder`);
  } catch {
    return problem("missing", `${name} does not exist; give the path of a worktree`);
  }
  try {
    const args = ["rev-parse", "--path-format=absolute", "--show-toplevel", "--git-common-dir", "--git-dir"];
    const [topLevel, commonDir, gitDir] = (await git.read(path, args)).split("\n");
    if (!topLevel || !commonDir || !gitDir)
      return problem("not-a-repository", `${name} is not in a git worktree; give the path of one`);
    return {
      kind: "repository",
      topLevel: await realpath(topLevel),
      commonDir: await realpath(commonDir),
      gitDir: await realpath(gitDir),
    };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    if (error.reason === "unsafe-repository") {
      return problem(
        error.reason,
        `${name} belongs to another user; git refuses it until you run: ${trustCommand(error, path)}`,
      );
    }
    if (error.stderr.includes("must be run in a work tree")) {
      return problem("bare", `${name} is a bare repository or inside .git; name a worktree`);
    }
    if (error.stderr.includes("not a git repository"))
      return problem("not-a-repository", `${name} is not in a git repository; give the path of a worktree`);
    return problem(error.reason, error.message);
  }
}

const trustCommand = (error: GitError, path: string): string =>
  /git config --global --add safe\.directory \S.*/.exec(error.stderr)?.[0] ??
  `git config --global --add safe.directory '${path}'`;

export interface Worktree {
  /** Of the main worktree, where that is not known, the git dir. */
  readonly path: string;
  readonly main: boolean;
  /** Full ref name of what is checked out. */
  readonly branch?: string;
  readonly head?: string;
  readonly detached: boolean;
  readonly bare: boolean;
  /** Its folder is not there, whether git would prune it or is told by a lock that it will come back. */
  readonly prunable: boolean;
  readonly locked: boolean;
  readonly gitDir?: string;
  readonly busy?: Busy;
}

/**
 * Every worktree of the repository, the main one first, with what git is in the middle of there; mostly one process.
 * `known`: worktrees that the caller knows of. Only that tells where the main one is if its git dir lies elsewhere.
 */
export async function listWorktrees(
  git: GitRunner,
  cwd: string,
  known: readonly string[] = [],
): Promise<readonly Worktree[]> {
  const output = await git.read(cwd, ["worktree", "list", "--porcelain", "-z"]);
  const blocks = output.split("\0\0").filter((block) => block !== "");
  const main = { git, known: new Set(known) };
  return Promise.all(blocks.map((block, at) => worktreeOf(block.split("\0"), at === 0 ? main : undefined)));
}

interface MainHints {
  readonly git: GitRunner;
  readonly known: ReadonlySet<string>;
}

/** Of a submodule, and wherever the git dir lies elsewhere, git lists the git dir itself; a submodule's says where its worktree is. */
async function mainPath(listed: string, { git, known }: MainHints): Promise<string> {
  if ((await gitDirOf(listed)) !== undefined) return listed;
  const gitDir = await realpath(listed).catch(() => listed);
  for (const path of known) if ((await gitDirOf(path)) === gitDir) return path;
  const told = await git
    .run(listed, ["rev-parse", "--path-format=absolute", "--show-toplevel"])
    .catch(failureOf);
  const path = "exitCode" in told && told.exitCode === 0 ? told.stdout.toString("utf8").trimEnd() : "";
  return path !== "" && (await gitDirOf(path)) === gitDir ? await realpath(path) : listed;
}

/** `hints`: of the main worktree. */
async function worktreeOf(lines: readonly string[], hints: MainHints | undefined): Promise<Worktree> {
  const value = (name: string): string | undefined =>
    lines.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1);
  const listed = value("worktree") ?? "";
  const path = hints && !lines.includes("bare") ? await mainPath(listed, hints) : listed;
  const gitDir = await gitDirOf(path);
  const busy = gitDir === undefined ? undefined : await busyOf(gitDir);
  const branch = value("branch");
  const head = value("HEAD");
  return {
    path,
    main: hints !== undefined,
    detached: lines.includes("detached"),
    bare: lines.includes("bare"),
    locked: lines.some((line) => /^locked( |$)/.test(line)),
    prunable: gitDir === undefined && !lines.includes("bare"),
    ...(branch === undefined ? {} : { branch }),
    ...(head === undefined || /^0+$/.test(head) ? {} : { head }),
    ...(gitDir === undefined ? {} : { gitDir }),
    ...(busy === undefined ? {} : { busy }),
  };
}
