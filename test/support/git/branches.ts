import type { Remote, Sandbox } from "../../unit/git/sandbox.ts";

/** Branches with a commit each on top of HEAD, checked out nowhere. */
export function makeBranches(sandbox: Sandbox, repository: string, ...names: readonly string[]): void {
  for (const name of names) {
    const tree = sandbox.tip(repository, "HEAD^{tree}");
    const commit = sandbox.git(repository, "commit-tree", tree, "-p", "HEAD", "-m", name).trim();
    sandbox.git(repository, "update-ref", `refs/heads/${name}`, commit);
  }
}

/** One more commit on a branch that is checked out nowhere. */
export function moveForward(sandbox: Sandbox, repository: string, branch: string): void {
  const ref = `refs/heads/${branch}`;
  const commit = sandbox.git(repository, "commit-tree", `${ref}^{tree}`, "-p", ref, "-m", "next").trim();
  sandbox.git(repository, "update-ref", ref, commit);
}

/** Somebody else's commit on a branch of a remote. */
export function moveRemote(sandbox: Sandbox, { path }: Remote, branch: string): string {
  moveForward(sandbox, path, branch);
  return sandbox.tip(path, branch);
}

/** The branch as another commit than was there. */
export function rewrite(sandbox: Sandbox, repository: string, branch: string): void {
  const args = ["commit-tree", `${branch}^{tree}`, "-p", "HEAD", "-m", `${branch} rewritten`];
  sandbox.git(repository, "update-ref", `refs/heads/${branch}`, sandbox.git(repository, ...args).trim());
}

/** A branch off another one, checked out nowhere, with these files changed; `null` deletes. */
export function branchWith(
  sandbox: Sandbox,
  repository: string,
  name: string,
  files: Readonly<Record<string, string | null>>,
  from: string,
): void {
  const place = sandbox.path(`make-${name.replaceAll("/", "-")}`);
  sandbox.git(repository, "worktree", "add", "-q", "-b", name, place, from);
  for (const [file, content] of Object.entries(files)) {
    if (content === null) sandbox.git(place, "rm", "-q", file);
    else sandbox.write(`${place}/${file}`, content);
  }
  sandbox.git(place, "add", "-A");
  sandbox.git(place, "commit", "-q", "-m", name);
  sandbox.git(repository, "worktree", "remove", place);
}
