import { basename, dirname } from "node:path";
import { listWorktrees, resolveRepository } from "./repository.ts";
import type { GitRunner } from "./runner.ts";

export interface WorktreeChoice {
  readonly path: string;
  /** Short name; absent with a detached HEAD. */
  readonly branch?: string;
  /** The repository's name, for a person. */
  readonly repository: string;
}

export interface ChangedFile {
  /** Relative to the worktree, with `/`. */
  readonly path: string;
  readonly change: "added" | "modified" | "deleted" | "renamed" | "untracked" | "conflicted";
  readonly staged: boolean;
}

/** What a person may choose from when queueing git work. Rejects with `GitError`. */
export class GitChoices {
  readonly #git: GitRunner;
  readonly #folders: () => readonly string[];

  /** `folders`: where repositories may lie. */
  constructor(git: GitRunner, folders: () => readonly string[]) {
    this.#git = git;
    this.#folders = folders;
  }

  /** All worktrees of the repositories that the folders lie in, those of one repository together. */
  async worktrees(): Promise<readonly WorktreeChoice[]> {
    const found = await Promise.all(this.#folders().map((folder) => resolveRepository(this.#git, folder)));
    const repositories = new Map(
      found.flatMap((one) => (one.kind === "repository" ? [[one.commonDir, one] as const] : [])),
    );
    const lists = await Promise.all(
      [...repositories.values()].map(({ topLevel }) => listWorktrees(this.#git, topLevel)),
    );
    return lists.flatMap((worktrees) => {
      const main = worktrees[0]?.path ?? "";
      return worktrees
        .filter(({ bare, prunable }) => !bare && !prunable)
        .map(({ path, branch }) => ({
          path,
          repository: basename(main) || dirname(main),
          ...(branch === undefined ? {} : { branch: branch.replace(/^refs\/heads\//, "") }),
        }));
    });
  }

  async changedFiles(worktree: string): Promise<readonly ChangedFile[]> {
    const output = await this.#git.must(worktree, [
      "status",
      "--porcelain=v1",
      "-z",
      "--untracked-files=all",
    ]);
    const fields = output
      .toString("utf8")
      .split("\0")
      .filter((field) => field !== "");
    const files: ChangedFile[] = [];
    for (let at = 0; at < fields.length; at++) {
      const field = fields[at] ?? "";
      const [index = " ", work = " "] = field;
      files.push({
        path: field.slice(3),
        change: changeOf(index, work),
        staged: index !== " " && index !== "?",
      });
      // A rename is followed by the old name.
      if (index === "R" || index === "C") at++;
    }
    return files;
  }

  /** Short names, the checked-out one first. */
  async branches(worktree: string): Promise<readonly string[]> {
    const output = await this.#git.read(worktree, [
      "for-each-ref",
      "--format=%(HEAD)%(refname:lstrip=2)",
      "refs/heads",
    ]);
    const lines = output.split("\n").filter((line) => line !== "");
    return lines
      .sort((a, b) => Number(b.startsWith("*")) - Number(a.startsWith("*")))
      .map((line) => line.slice(1));
  }

  async remotes(worktree: string): Promise<readonly string[]> {
    return (await this.#git.read(worktree, ["remote"])).split("\n").filter((name) => name !== "");
  }
}

function changeOf(index: string, work: string): ChangedFile["change"] {
  if (index === "?") return "untracked";
  if (index === "U" || work === "U" || (index === "A" && work === "A") || (index === "D" && work === "D"))
    return "conflicted";
  if (index === "R") return "renamed";
  if (index === "D" || work === "D") return "deleted";
  return index === "A" ? "added" : "modified";
}
