import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
  readFileSync,
  existsSync,
  chmodSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const environment: NodeJS.ProcessEnv = {
  PATH: process.env["PATH"],
  HOME: "/nonexistent",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.com",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.com",
  LC_ALL: "C.UTF-8",
};

/** A folder of repositories that goes away with `dispose`. Runs the real git, set apart from the machine's configuration. */
export class Sandbox {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "batch-control-git-")));
  readonly environment = environment;
  readonly #own: Readonly<Record<string, string>>;

  /** `own`: environment of what is made through the sandbox itself, such as the dates of its commits. */
  constructor(own: Readonly<Record<string, string>> = {}) {
    this.#own = own;
  }

  path(...parts: readonly string[]): string {
    return join(this.root, ...parts);
  }

  git(cwd: string, ...args: readonly string[]): string {
    return this.gitBytes(cwd, ...args).toString("utf8");
  }

  gitBytes(cwd: string, ...args: readonly string[]): Buffer {
    return execFileSync("git", args, {
      cwd,
      env: { ...environment, ...this.#own },
      stdio: ["ignore", "pipe", "pipe"],
      maxBuffer: 1e8,
    });
  }

  /** Whether git ended with 0. */
  gitWorks(cwd: string, ...args: readonly string[]): boolean {
    try {
      this.gitBytes(cwd, ...args);
      return true;
    } catch {
      return false;
    }
  }

  write(file: string, content: string | Buffer): void {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }

  read(file: string): string {
    return readFileSync(file, "utf8");
  }

  remove(file: string): void {
    rmSync(file, { force: true });
  }

  exists(file: string): boolean {
    return existsSync(file);
  }

  /** A repository with one commit on `main` that holds the given files. */
  repository(name: string, files: Readonly<Record<string, string>> = { "a.txt": "a\n" }): string {
    const path = this.path(name);
    mkdirSync(path);
    this.git(path, "init", "-q", "-b", "main");
    for (const [file, content] of Object.entries(files)) this.write(join(path, file), content);
    this.git(path, "add", "-A");
    this.git(path, "commit", "-q", "--allow-empty", "-m", "first");
    return path;
  }

  /** A bare remote named `origin`, with everything of `repository` pushed; each push appends its refs to `pushes`. */
  remote(repository: string, name = "origin.git", remote = "origin"): Remote {
    const path = this.path(name);
    this.git(this.root, "init", "-q", "--bare", "-b", "main", path);
    this.git(repository, "remote", "add", remote, path);
    this.git(repository, "push", "-q", remote, "--all");
    const log = this.path(`${name}.pushes`);
    this.hook(path, "post-receive", `echo "$(cat | wc -l)" >> '${log}'`);
    return {
      path,
      pushes: () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n").map(Number) : []),
    };
  }

  hook(repository: string, name: string, script: string): void {
    const hooks = this.git(repository, "rev-parse", "--path-format=absolute", "--git-path", "hooks").trim();
    const file = join(hooks, name);
    this.write(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
  }

  makeExecutable(file: string): void {
    chmodSync(file, 0o755);
  }

  worktree(repository: string, branch: string): string {
    const path = this.path(branch.replaceAll("/", "-"));
    this.git(repository, "worktree", "add", "-q", "-b", branch, path);
    return path;
  }

  tip(cwd: string, ref: string): string {
    return this.git(cwd, "rev-parse", "--verify", "--end-of-options", ref).trim();
  }

  status(worktree: string): string {
    return this.git(worktree, "status", "--porcelain");
  }

  dispose(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

export interface Remote {
  readonly path: string;
  /** Refs per run of post-receive. */
  pushes(): readonly number[];
}
