import assert from "node:assert/strict";
import { chmodSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { ProcessGitRunner } from "../../../src/git/index.ts";
import { Desk } from "./desk.ts";
import { Sandbox } from "./sandbox.ts";

/** What happens to one path between two commits. */
interface Edit {
  readonly path: string;
  readonly what: "text" | "crlf" | "binary" | "executable" | "link" | "delete";
  readonly salt: number;
}

const names = [
  "a.txt",
  "b.up",
  "sp ace.txt",
  "-dash",
  "ü.txt",
  "*",
  ":(top)x",
  "d/one.txt",
  "d/two.bin",
  "e/f/deep.txt",
  "crlf.md",
];
const edit: fc.Arbitrary<Edit> = fc.record({
  path: fc.constantFrom(...names),
  what: fc.constantFrom("text", "crlf", "binary", "executable", "link", "delete"),
  salt: fc.nat(3),
});
/** Commits of one worktree: each names some edits; `noise` is staged or changed besides. */
const history = fc.record({
  commits: fc.array(fc.uniqueArray(edit, { minLength: 1, maxLength: 4, selector: ({ path }) => path }), {
    minLength: 1,
    maxLength: 4,
  }),
  noise: fc.array(edit, { maxLength: 2 }),
});
const attributes = "*.up filter=up\n*.md text eol=crlf\n*.txt text=auto\n*.bin -text\n";
const dates = { GIT_AUTHOR_DATE: "1700000000 +0100", GIT_COMMITTER_DATE: "1700000000 +0100" };

function apply(worktree: string, { path, what, salt }: Edit): void {
  const file = join(worktree, path);
  rmSync(file, { force: true, recursive: true });
  if (what === "delete") return;
  mkdirSync(dirname(file), { recursive: true });
  if (what === "link") symlinkSync(`target-${salt}`, file);
  else if (what === "binary") writeFileSync(file, Buffer.from([0, salt, 13, 10, 255]));
  else writeFileSync(file, what === "crlf" ? `line ${salt}\r\nend\r\n` : `line ${salt}\nend\n`);
  if (what === "executable") chmodSync(file, 0o755);
}

describe("git: both ways to commit", function () {
  this.timeout(240_000);
  let sandbox: Sandbox;
  before(() => (sandbox = new Sandbox(dates)));
  after(() => sandbox.dispose());

  it("give the same trees, commits, index and results over any worktree state", async () => {
    let round = 0;
    await fc.assert(
      fc.asyncProperty(history, async ({ commits, noise }) => {
        round += 1;
        const ends = await Promise.all(
          (["fast", "porcelain"] as const).map(async (engine) => {
            const worktree = sandbox.repository(`${engine}-${round}`, {
              ".gitattributes": attributes,
              "a.txt": "1\n",
              "d/one.txt": "1\n",
              "staged.txt": "1\n",
            });
            sandbox.git(worktree, "config", "filter.up.clean", "tr a-z A-Z");
            if (engine === "porcelain") sandbox.hook(worktree, "post-commit", "exit 0");
            const git = new ProcessGitRunner(() => "git", sandbox.environment, dates);
            const desk = new Desk(sandbox, {}, { git });
            const ids: string[] = [];
            for (const [index, edits] of commits.entries()) {
              for (const one of edits) apply(worktree, one);
              const files = edits
                .map(({ path }) => path)
                .filter(
                  (path) =>
                    lstatSync(join(worktree, path), { throwIfNoEntry: false }) !== undefined ||
                    sandbox.gitWorks(worktree, "cat-file", "-e", `HEAD:${path}`),
                );
              if (files.length === 0) continue;
              ids.push(await desk.enqueue({ worktree, message: `commit ${index}\n\nbody  \n`, files }));
            }
            sandbox.write(join(worktree, "staged.txt"), "2\n");
            sandbox.git(worktree, "add", "staged.txt");
            for (const one of noise) apply(worktree, one);
            await desk.flush();
            return {
              results: ids.map((id) => [
                desk.result(id).status,
                desk.result(id).error,
                desk.result(id).commit,
              ]),
              log: sandbox.git(worktree, "log", "--format=%T %an %cd %B"),
              index: sandbox.git(worktree, "ls-files", "-s"),
              status: sandbox.status(worktree),
              engines: new Set(
                ids
                  .filter((id) => desk.result(id).status === "succeeded")
                  .map((id) => desk.detail(id)["engine"]),
              ),
            };
          }),
        );
        const [fast, porcelain] = ends;
        assert.deepEqual({ ...fast, engines: 0 }, { ...porcelain, engines: 0 });
        for (const engine of fast!.engines) assert.equal(engine, "fast");
        for (const engine of porcelain!.engines) assert.equal(engine, "porcelain");
      }),
      { numRuns: 12 },
    );
  });
});
