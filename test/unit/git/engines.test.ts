import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { lstatSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { apply, lfsClean, worktreeStates } from "../../support/git/worktree-states.ts";
import type { WorktreeStates } from "../../support/git/worktree-states.ts";
import { ProcessGitRunner } from "../../../src/git/index.ts";
import { Desk } from "./desk.ts";
import { Sandbox } from "./sandbox.ts";

const dates = { GIT_AUTHOR_DATE: "1700000000 +0100", GIT_COMMITTER_DATE: "1700000000 +0100" };
const message = (index: number): string => `commit ${index}\n\nbody  \n`;

describe("git: both ways to commit", function () {
  this.timeout(240_000);
  let sandbox: Sandbox;
  before(() => (sandbox = new Sandbox(dates)));
  after(() => sandbox.dispose());

  const repository = (name: string, { attributes, inner, config }: WorktreeStates): string => {
    const worktree = sandbox.repository(name, {
      ...{ "a.txt": "1\n", "d/one.txt": "1\n", "staged.txt": "1\n", "was-crlf.txt": "1\r\n2\r\n" },
      ...{ "crlf.md": "1\r\n", "lf.sh": "1\r\n2\n", "big.lfs": "1\n", "id.c": "$Id$\n" },
    });
    sandbox.git(worktree, "config", "filter.up.clean", "tr a-z A-Z");
    sandbox.git(worktree, "config", "filter.up.smudge", "tr A-Z a-z");
    sandbox.git(worktree, "config", "filter.lfs.clean", lfsClean);
    sandbox.git(worktree, "config", "filter.lfs.required", "true");
    for (const [key, value] of config) sandbox.git(worktree, "config", key, value);
    // The rules come after the files, so that some are not as the rules would have them.
    sandbox.write(join(worktree, ".gitattributes"), attributes);
    sandbox.write(join(worktree, "d/.gitattributes"), inner);
    sandbox.write(join(worktree, ".git/info/attributes"), "*.utf16 working-tree-encoding=UTF-16LE-BOM\n");
    sandbox.git(worktree, "add", ".gitattributes", "d/.gitattributes");
    sandbox.git(worktree, "commit", "-q", "-m", "rules", "--", ".gitattributes", "d/.gitattributes");
    return worktree;
  };
  /** Those of a commit's paths that can be committed: there, or on the branch. */
  const filesOf = (
    worktree: string,
    commit: WorktreeStates["commits"][number],
    known: ReadonlySet<string>,
  ): string[] =>
    commit
      .map(({ path }) => path)
      .filter(
        (path) => lstatSync(join(worktree, path), { throwIfNoEntry: false }) !== undefined || known.has(path),
      );
  const paths = (worktree: string): Set<string> =>
    new Set(sandbox.git(worktree, "ls-tree", "-r", "-z", "--name-only", "HEAD").split("\0"));
  /** What else is going on in the worktree when the batch runs. */
  const disturb = (worktree: string, { noise }: WorktreeStates): void => {
    sandbox.write(join(worktree, "staged.txt"), "2\n");
    sandbox.git(worktree, "add", "staged.txt");
    for (const one of noise) apply(worktree, one);
  };
  /** What git says of every file after a look at its content, whatever it has noted of its times. */
  const status = (worktree: string): string => {
    execFileSync(
      "find",
      [".", "-path", "./.git", "-prune", "-o", "-type", "f", "-exec", "touch", "{}", "+"],
      {
        cwd: worktree,
      },
    );
    return sandbox.status(worktree);
  };
  const outcome = (worktree: string): Readonly<Record<string, string>> => ({
    log: sandbox.git(worktree, "log", "--format=%H %T %an %cd %B"),
    trees: sandbox.git(worktree, "log", "--format=", "--raw", "--no-abbrev", "--no-renames"),
    index: sandbox.git(worktree, "ls-files", "-s"),
    status: status(worktree),
  });

  /** The oracle: each commit made by hand at the moment in which the others are queued. */
  const byHand = (worktree: string, states: WorktreeStates): ReturnType<typeof outcome> => {
    for (const [index, commit] of states.commits.entries()) {
      for (const one of commit) apply(worktree, one);
      const files = filesOf(worktree, commit, paths(worktree));
      if (files.length === 0) continue;
      sandbox.git(worktree, "--literal-pathspecs", "-c", "core.safecrlf=false", "add", "-A", "--", ...files);
      if (sandbox.gitWorks(worktree, "diff", "--cached", "--quiet")) continue;
      const args = ["-C", worktree, "commit", "-q", "-F", "-"];
      execFileSync("git", args, { env: { ...sandbox.environment, ...dates }, input: message(index) });
    }
    disturb(worktree, states);
    return outcome(worktree);
  };

  const byProduct = async (engine: "fast" | "porcelain", worktree: string, states: WorktreeStates) => {
    if (engine === "porcelain") sandbox.hook(worktree, "post-commit", "exit 0");
    const git = new ProcessGitRunner(() => "git", sandbox.environment, dates);
    const desk = new Desk(sandbox, {}, { git });
    const ids: string[] = [];
    const known = paths(worktree);
    for (const [index, commit] of states.commits.entries()) {
      for (const one of commit) apply(worktree, one);
      const files = filesOf(worktree, commit, known);
      if (files.length === 0) continue;
      ids.push(await desk.enqueue({ worktree, message: message(index), files }));
      for (const file of files) {
        if (lstatSync(join(worktree, file), { throwIfNoEntry: false })) known.add(file);
        else known.delete(file);
      }
    }
    disturb(worktree, states);
    await desk.flush();
    const results = ids.map((id) => desk.result(id));
    for (const { id, status, reason } of results) {
      if (status === "succeeded") assert.equal(desk.detail(id)["engine"], engine);
      else assert.equal(reason, "nothing-to-commit");
    }
    return {
      git: outcome(worktree),
      results: results.map(({ status, error, commit }) => [status, error, commit]),
    };
  };

  it("give the commits, trees and index that git itself gives, over any worktree state and rules for content", async () => {
    let round = 0;
    await fc.assert(
      fc.asyncProperty(worktreeStates, async (states) => {
        round += 1;
        const name = (what: string): string => `${what}-${round}`;
        const expected = byHand(repository(name("hand"), states), states);
        const fast = await byProduct("fast", repository(name("fast"), states), states);
        const porcelain = await byProduct("porcelain", repository(name("porcelain"), states), states);
        assert.deepEqual(fast, porcelain);
        assert.deepEqual(fast.git, expected);
      }),
      { numRuns: 8 },
    );
  });
});
