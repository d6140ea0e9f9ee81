import { execFile } from "node:child_process";
import { chmod, mkdir, readFile, realpath, writeFile } from "node:fs/promises";
import { devNull } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { agentChanges, baseFiles } from "./sample-files.ts";

export interface SampleWorktree {
  readonly branch: string;
  readonly path: string;
  /** Changed and new files, relative, ready to be queued. */
  readonly files: readonly string[];
}

/** A small shop that three agents work on: everything lies under `root`. */
export interface Sample {
  readonly root: string;
  /** Bare; its `post-receive` hook counts the pushes. */
  readonly remote: string;
  /** On `main`. */
  readonly clone: string;
  readonly worktrees: readonly SampleWorktree[];
  /** Opens the clone and the worktrees in one window. */
  readonly workspace: string;
  /** JSONL, a request a line, tracked in the repository. */
  readonly prompts: string;
}

/** Git as on a machine without anyone's configuration, at a fixed time, so that the same commits come out everywhere. */
export const sampleGitEnv: Readonly<Record<string, string>> = {
  GIT_CONFIG_GLOBAL: devNull,
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
};
const fixedTime = { GIT_AUTHOR_DATE: "2026-01-05T09:00:00Z", GIT_COMMITTER_DATE: "2026-01-05T09:00:00Z" };

/** Runs git and gives its output without the line's end. Rejects with what git said. */
export async function git(cwd: string, ...args: readonly string[]): Promise<string> {
  const env = { ...process.env, ...sampleGitEnv };
  const { stdout } = await promisify(execFile)("git", args, { cwd, env, maxBuffer: 64 * 1024 * 1024 });
  return stdout.trimEnd();
}

/** Makes the sample in a folder that is new or empty. */
export async function createSample(folder: string): Promise<Sample> {
  await mkdir(folder, { recursive: true });
  const root = await realpath(folder);
  const remote = path.join(root, "remote.git");
  const clone = path.join(root, "shop");
  await makeRemote(root, remote);
  await makeClone(root, clone);
  const worktrees: SampleWorktree[] = [];
  for (const [name, files] of Object.entries(agentChanges)) {
    const worktree = {
      branch: `agent/${name}`,
      path: path.join(root, `shop-${name}`),
      files: Object.keys(files),
    };
    await git(clone, "worktree", "add", "--quiet", "-b", worktree.branch, worktree.path);
    await writeFiles(worktree.path, files);
    worktrees.push(worktree);
  }
  const workspace = path.join(root, "shop.code-workspace");
  const folders = [clone, ...worktrees.map((worktree) => worktree.path)].map((each) => ({
    path: path.basename(each),
  }));
  await writeFile(workspace, JSON.stringify({ folders }, undefined, 2));
  return {
    root,
    remote,
    clone,
    worktrees,
    workspace,
    prompts: path.join(clone, "prompts", "requests.jsonl"),
  };
}

/** One entry a push that the remote took, each with the refs that it moved. */
export async function receivedPushes(sample: Pick<Sample, "remote">): Promise<string[][]> {
  const text = await readFile(path.join(sample.remote, "pushes.log"), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.trim().split(" "));
}

async function makeRemote(root: string, remote: string): Promise<void> {
  await git(root, "init", "--quiet", "--bare", "-b", "main", remote);
  // A hooks path from elsewhere would keep the counting hook from running.
  await git(remote, "config", "core.hooksPath", path.join(remote, "hooks"));
  await writeFile(path.join(remote, "pushes.log"), "");
  const hook = path.join(remote, "hooks", "post-receive");
  await mkdir(path.dirname(hook), { recursive: true });
  await writeFile(
    hook,
    `#!/bin/sh\nrefs=$(cut -d' ' -f3 | tr '\\n' ' ')\nprintf '%s\\n' "$refs" >> pushes.log\n`,
  );
  await chmod(hook, 0o755);
}

async function makeClone(root: string, clone: string): Promise<void> {
  await git(root, "clone", "--quiet", "remote.git", clone);
  const settings = {
    "user.name": "Sam Sample",
    "user.email": "sam@example.com",
    "commit.gpgSign": "false",
    "core.autocrlf": "false",
  };
  for (const [key, value] of Object.entries(settings)) await git(clone, "config", key, value);
  await git(clone, "symbolic-ref", "HEAD", "refs/heads/main");
  await writeFiles(clone, baseFiles);
  await git(clone, "add", "--all");
  const env = { ...process.env, ...sampleGitEnv, ...fixedTime };
  await promisify(execFile)("git", ["commit", "--quiet", "-m", "Open the shop"], { cwd: clone, env });
  await git(clone, "push", "--quiet", "--set-upstream", "origin", "main");
  await writeFile(path.join(root, "remote.git", "pushes.log"), "");
}

async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}
