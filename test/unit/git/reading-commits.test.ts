import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ProcessGitRunner } from "../../../src/git/index.ts";
import { newestEntry } from "../../../src/git/reflog-file.ts";
import { Desk } from "./desk.ts";
import { Sandbox } from "./sandbox.ts";

/** Somebody kills what reads commits, as soon as it has been asked `answers` times. */
class LosesReader extends ProcessGitRunner {
  #left: number;

  constructor(environment: NodeJS.ProcessEnv, answers: number) {
    super(() => "git", environment);
    this.#left = answers;
  }

  override run(
    ...[cwd, args, options = {}]: Parameters<ProcessGitRunner["run"]>
  ): ReturnType<ProcessGitRunner["run"]> {
    if (options.standing !== true) return super.run(cwd, args, options);
    let pid = 0;
    const onStart = (started: number): void => {
      pid = started;
      if (this.#left === 0) process.kill(-pid, "SIGKILL");
    };
    const onOutput: typeof options.onOutput = (chunk, from) => {
      options.onOutput?.(chunk, from);
      this.#left -= 1;
      if (this.#left === 0) process.kill(-pid, "SIGKILL");
    };
    return super.run(cwd, args, { ...options, onStart, onOutput });
  }
}

describe("git: reading the commits that were made", function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let worktree: string;
  beforeEach(() => {
    sandbox = new Sandbox();
    worktree = sandbox.repository("clone", { "a.txt": "1\n" });
    sandbox.hook(worktree, "pre-commit", "exit 0");
  });
  afterEach(() => sandbox.dispose());

  const commit = async (desk: Desk, messages: readonly string[]): Promise<readonly string[]> => {
    const ids: string[] = [];
    for (const [at, message] of messages.entries()) {
      sandbox.write(join(worktree, `${at}.txt`), `${message}\n`);
      ids.push(await desk.enqueue({ worktree, message, files: [`${at}.txt`] }));
    }
    await desk.flush();
    return ids;
  };
  const log = (): string => sandbox.git(worktree, "log", "--format=%s", "--reverse").replace(/^first\n/, "");

  it("with hooks, each further commit takes two processes of git", async () => {
    const count = async (size: number): Promise<number> => {
      const desk = new Desk(sandbox);
      const names = Array.from({ length: size }, (_, index) => `${size}.${index}`);
      const ids: string[] = [];
      for (const name of names) {
        sandbox.write(join(worktree, name), "x\n");
        ids.push(await desk.enqueue({ worktree, message: name, files: [name] }));
      }
      const queued = desk.git.started;
      await desk.flush();
      assert.deepEqual(
        desk.ends(ids),
        names.map(() => "succeeded"),
      );
      return desk.git.started - queued;
    };
    const few = await count(3);
    assert.equal(((await count(9)) - few) / 6, 2);
  });

  for (const answers of [0, 1, 2]) {
    it(`finds them where what reads them is killed after ${answers} answers`, async () => {
      const desk = new Desk(sandbox, {}, { git: new LosesReader(sandbox.environment, answers) });
      const ids = await commit(desk, ["one", "two", "three"]);
      assert.deepEqual(desk.ends(ids), ["succeeded", "succeeded", "succeeded"]);
      assert.equal(log(), "one\ntwo\nthree\n");
      assert.deepEqual(
        ids.map((id) =>
          sandbox.git(worktree, "log", "-1", "--format=%s", desk.result(id).commit ?? "").trim(),
        ),
        ["one", "two", "three"],
      );
      assert.equal(sandbox.status(worktree), "");
    });
  }

  it("finds them by a subject that is longer than what is read of the reflog at once", async () => {
    const messages = ["x".repeat(5000), "ü".repeat(9000), "short"];
    const desk = new Desk(sandbox);
    const ids = await commit(desk, messages);
    assert.deepEqual(desk.ends(ids), ["succeeded", "succeeded", "succeeded"]);
    assert.equal(log(), `${messages.join("\n")}\n`);
  });

  it("finds a commit of a thousand files", async () => {
    const files = Array.from({ length: 1000 }, (_, index) => `many/a-file-with-a-long-name-${index}.txt`);
    for (const file of files) sandbox.write(join(worktree, file), file);
    const desk = new Desk(sandbox);
    const id = await desk.enqueue({ worktree, message: "many", files });
    await desk.flush();
    assert.deepEqual(desk.ends([id]), ["succeeded"]);
    assert.equal(sandbox.git(worktree, "show", "--format=", "--name-only", "HEAD").split("\n").length, 1001);
    assert.equal(sandbox.status(worktree), "");
  });

  for (const [what, script] of [
    ["deletes the reflog", 'rm -r "$(git rev-parse --git-common-dir)/logs"'],
    ["empties the reflog", "git reflog expire --expire=now --all"],
    ["breaks the reflog", 'printf broken >> "$(git rev-parse --git-common-dir)/logs/refs/heads/main"'],
    ["cuts the history off", 'git rev-parse HEAD >> "$(git rev-parse --git-common-dir)/shallow"'],
    ["replaces it", 'git replace -f HEAD "$(git commit-tree -m else HEAD~1^{tree})"'],
  ] as const)
    it(`finds them where a hook ${what}`, async () => {
      sandbox.hook(worktree, "post-commit", `unset GIT_INDEX_FILE; ${script}`);
      const desk = new Desk(sandbox);
      const ids = await commit(desk, ["one", "two", "three"]);
      assert.deepEqual(desk.ends(ids), ["succeeded", "succeeded", "succeeded"]);
      assert.equal(sandbox.tip(worktree, "main"), desk.result(ids[2]!).commit);
      for (const [at, id] of ids.entries()) {
        const commitOf = desk.result(id).commit ?? "";
        const text = sandbox.git(worktree, "--no-replace-objects", "cat-file", "commit", commitOf);
        assert.ok(text.endsWith(`\n${["one", "two", "three"][at]}\n`), text);
        assert.equal(desk.result(id).refs?.[0]?.old, /^parent (.*)$/m.exec(text)?.[1]);
      }
      // The index follows, or the next commit would undo these.
      const tree = sandbox.git(worktree, "--no-replace-objects", "rev-parse", "HEAD^{tree}");
      assert.equal(sandbox.git(worktree, "write-tree"), tree);
    });

  describe("newestEntry", () => {
    const old = "1".repeat(40);
    const oid = "2".repeat(40);
    const entry = `${old} ${oid} Ada <ada@example.com> 1700000000 +0100\tsubject\twith a tab > and more\n`;
    const file = (): string => join(worktree, "logs", "refs", "heads", "topic", "one");
    beforeEach(() => mkdirSync(join(file(), ".."), { recursive: true }));
    const newest = (): ReturnType<typeof newestEntry> => newestEntry(worktree, "refs/heads/topic/one");

    it("is the last line, whatever is before it and however long either is", async () => {
      for (const before of ["", "x\n", `${"y".repeat(4094)}\n`, `${"y".repeat(9000)}\n`]) {
        writeFileSync(file(), `${before}${entry}`);
        assert.deepEqual(await newest(), { old, oid, message: "subject\twith a tab > and more" });
      }
      const message = "z".repeat(20_000);
      writeFileSync(file(), `x\n${old} ${oid} A B <> 1 +0000\t${message}\n`);
      assert.deepEqual(await newest(), { old, oid, message });
    });

    it("is not known where there is none, or only the beginning of one", async () => {
      assert.equal(await newest(), undefined);
      for (const content of ["", "\n", "nonsense\n", entry.slice(0, 50), entry.trimEnd()]) {
        writeFileSync(file(), content);
        assert.equal(await newest(), undefined, content);
      }
      writeFileSync(file(), entry);
      appendFileSync(file(), entry.slice(0, 60));
      assert.equal(await newest(), undefined);
    });
  });
});
