import assert from "node:assert/strict";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { previewGit } from "../../../src/git/preview.ts";
import { changedFiles, listBranches, listRemotes } from "../../../src/git/listing.ts";
import { resolveRepository } from "../../../src/git/repository.ts";
import { Desk } from "./desk.ts";
import { Sandbox } from "./sandbox.ts";

describe("git: what is queued", function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let desk: Desk;
  let main: string;
  beforeEach(() => {
    sandbox = new Sandbox();
    desk = new Desk(sandbox);
    main = sandbox.repository("clone", { "a.txt": "1\n", "b.txt": "1\n" });
  });
  afterEach(() => sandbox.dispose());
  const person = { source: "person", interactive: true } as const;
  const pins = (): string =>
    sandbox.git(main, "for-each-ref", "--format=%(refname)", "refs/batch-control/pin").trim();
  const queue = (file: string, content: string): Promise<string> => {
    sandbox.write(join(main, file), content);
    return desk.enqueue({ worktree: main, message: `${file} ${content.trim()}`, files: [file] });
  };

  it("an edit of the message keeps the pinned content, an edit of the files pins anew", async () => {
    const id = await queue("a.txt", "2\n");
    sandbox.write(join(main, "a.txt"), "3\n");
    sandbox.write(join(main, "b.txt"), "3\n");
    desk.store(
      id,
      await desk.acceptor.again(desk.operations.get(id)!, { id, ...person }, { message: "better" }),
    );
    await desk.flush();
    assert.equal(sandbox.git(main, "log", "-1", "--format=%s"), "better\n");
    assert.equal(sandbox.git(main, "show", "HEAD:a.txt"), "2\n");
    const second = await queue("b.txt", "4\n");
    sandbox.write(join(main, "b.txt"), "5\n");
    desk.store(
      second,
      await desk.acceptor.again(
        desk.operations.get(second)!,
        { id: second, ...person },
        { files: ["a.txt", "b.txt"] },
      ),
    );
    await desk.flush();
    assert.deepEqual(desk.ends([second]), ["succeeded"]);
    assert.equal(sandbox.git(main, "show", "HEAD:a.txt", "HEAD:b.txt"), "3\n5\n");
  });

  it("refuses an edit of files that a later queued commit builds on", async () => {
    const first = await queue("a.txt", "2\n");
    await queue("a.txt", "3\n");
    await assert.rejects(
      desk.acceptor.again(
        desk.operations.get(first)!,
        { id: first, ...person },
        { files: ["a.txt", "b.txt"] },
      ),
      /the commit "a\.txt 3", which is queued behind it, changes the same file/,
    );
  });

  it("a retry keeps content and base: it never reverts what came in", async () => {
    const id = await queue("a.txt", "mine\n");
    sandbox.write(join(main, "a.txt"), "theirs\n");
    sandbox.git(main, "commit", "-q", "-m", "theirs", "a.txt");
    await desk.flush();
    assert.deepEqual(desk.ends([id]), ["changed"]);
    const again = desk.newId();
    desk.store(again, await desk.acceptor.again(desk.operations.get(id)!, { id: again, ...person }));
    await desk.flush();
    assert.deepEqual(desk.ends([again]), ["changed"]);
    sandbox.git(main, "revert", "--no-edit", "HEAD");
    const third = desk.newId();
    desk.store(third, await desk.acceptor.again(desk.operations.get(id)!, { id: third, ...person }));
    await desk.flush();
    assert.deepEqual(desk.ends([third]), ["succeeded"]);
    assert.equal(sandbox.git(main, "show", "HEAD:a.txt"), "mine\n");
  });

  it("retried in the wrong order, the first of two commits of one path is made, and then the second", async () => {
    sandbox.hook(main, "pre-commit", "exit 1");
    const [first, second] = [await queue("a.txt", "2\n"), await queue("a.txt", "3\n")];
    await desk.flush();
    assert.deepEqual(desk.ends([first, second]), ["commit-refused", "dependency"]);
    sandbox.hook(main, "pre-commit", "exit 0");
    const retry = async (id: string): Promise<string> => {
      const again = desk.newId();
      desk.store(again, await desk.acceptor.again(desk.operations.get(id)!, { id: again, ...person }));
      return again;
    };
    const [early, late] = [await retry(second), await retry(first)];
    await desk.flush();
    assert.deepEqual(desk.ends([early, late]), ["dependency", "succeeded"]);
    const last = await retry(early);
    await desk.flush();
    assert.deepEqual(desk.ends([last]), ["succeeded"]);
    assert.equal(sandbox.git(main, "log", "--format=%s"), "a.txt 3\na.txt 2\nfirst\n");
  });

  it("says so where the content that a retry needs is gone", async () => {
    const id = await queue("a.txt", "only here\n");
    desk.operations.set(id, { ...desk.operations.get(id)!, status: "cancelled" });
    await desk.acceptor.discard([{ id, payload: desk.operations.get(id)!.payload }]);
    assert.equal(pins(), "");
    sandbox.write(join(main, "a.txt"), "1\n");
    sandbox.git(main, "prune", "--expire=now");
    const again = desk.newId();
    await assert.rejects(
      desk.acceptor.again(desk.operations.get(id)!, { id: again, ...person }),
      /pinned for this commit is gone/,
    );
  });

  it("keeps the order of two commits of one path, and only that", async () => {
    const [a, b, c] = [
      await queue("a.txt", "2\n"),
      await queue("b.txt", "2\n"),
      await queue("a.txt", "3\n"),
    ].map((id) => desk.operations.get(id)!);
    assert.match(
      desk.acceptor.mayMove(c!, [b!, a!]) ?? "",
      /^the commit "a\.txt 2" changes a\.txt too; their order would change/,
    );
    assert.equal(desk.acceptor.mayMove(c!, [b!]), undefined);
  });

  it("does not show a push or a merge before what it is run after", async () => {
    sandbox.remote(main);
    sandbox.git(main, "branch", "topic");
    const commit = await queue("a.txt", "2\n");
    const push = await desk.enqueue({ kind: "push", worktree: main });
    const merge = await desk.enqueue({ worktree: main, source: "main", target: "topic" });
    const other = await desk.enqueue({ kind: "push", worktree: main, branch: "topic" });
    const at = (id: string) => desk.operations.get(id)!;
    const before =
      /^a push runs after everything queued onto its branch, so it cannot stand before "a\.txt 2"/;
    assert.match(desk.acceptor.mayMove(at(commit), [at(push)]) ?? "", before, "the commit down");
    assert.match(desk.acceptor.mayMove(at(push), [at(commit)]) ?? "", before, "the push up");
    assert.match(
      desk.acceptor.mayMove(at(merge), [at(push), at(commit)]) ?? "",
      /^a merge runs after the commits/,
    );
    assert.match(desk.acceptor.mayMove(at(other), [at(merge)]) ?? "", /^a push runs after everything/);
    assert.equal(desk.acceptor.mayMove(at(other), [at(commit)]), undefined, "another branch");
    assert.equal(desk.acceptor.mayMove(at(push), [at(merge), at(other)]), undefined, "another branch");
    // One that was queued after the push shows the order that is run once it is before it.
    const late = await queue("b.txt", "2\n");
    assert.equal(desk.acceptor.mayMove(at(late), [at(push)]), undefined);
  });

  for (const engine of ["fast", "porcelain"]) {
    it(`a commit that builds on a cancelled one names that, before and after (${engine})`, async () => {
      if (engine === "porcelain") sandbox.hook(main, "pre-commit", "exit 0");
      const first = await queue("a.txt", "2\n");
      const second = await queue("a.txt", "3\n");
      desk.operations.set(first, { ...desk.operations.get(first)!, status: "cancelled" });
      const queued = [...desk.operations.values()].filter(({ status }) => status === "queued");
      const preview = await previewGit(desk.deps, queued);
      await desk.flush();
      const { reason, error } = desk.result(second);
      assert.equal(reason, "dependency");
      assert.equal(
        error,
        'it builds on the commit "a.txt 2", which did not succeed; queue it again from the worktree',
      );
      assert.equal(desk.detail(second)["dependency"], first);
      assert.deepEqual(preview?.problems, [
        { id: second, label: "a.txt 3", reason, error, detail: { dependency: first } },
      ]);
      assert.equal(sandbox.git(main, "show", "HEAD:a.txt"), "1\n");
    });
  }

  it("a commit that builds on one that was retried in between goes in", async () => {
    const first = await queue("a.txt", "2\n");
    const second = await queue("a.txt", "3\n");
    const cancelled = { ...desk.operations.get(first)!, status: "cancelled" } as const;
    desk.operations.set(first, cancelled);
    const late = desk.operations.get(second)!;
    desk.operations.delete(second);
    const again = desk.newId();
    desk.store(again, await desk.acceptor.again(cancelled, { id: again, ...person }));
    await desk.flush();
    desk.operations.set(second, late);
    await desk.flush();
    assert.deepEqual(desk.ends([again, second]), ["succeeded", "succeeded"]);
    assert.equal(sandbox.git(main, "show", "HEAD:a.txt"), "3\n");
  });

  it("many at once take few processes, and all keep their content", async () => {
    for (let index = 0; index < 40; index += 1) sandbox.write(join(main, `f${index}.txt`), `${index}\n`);
    const before = desk.git.started;
    const ids = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        desk.enqueue({ worktree: main, message: `${index}`, files: [`f${index}.txt`] }),
      ),
    );
    assert.ok(desk.git.started - before <= 15, `${desk.git.started - before} processes`);
    await desk.flush();
    assert.deepEqual(
      desk.ends(ids),
      ids.map(() => "succeeded"),
    );
    assert.equal(sandbox.git(main, "log", "--format=%s").trim().split("\n").length, 41);
    assert.equal(sandbox.status(main), "");
  });

  it("gives one fingerprint for one content", async () => {
    const accept = async (): Promise<string> => {
      const input = { worktree: main, message: "m", files: ["a.txt"], idempotencyKey: "k" };
      return (await desk.acceptor.accept(input, { id: desk.newId(), ...person })).fingerprint;
    };
    sandbox.write(join(main, "a.txt"), "2\n");
    const first = await accept();
    assert.equal(await accept(), first);
    sandbox.write(join(main, "a.txt"), "3\n");
    assert.notEqual(await accept(), first);
  });

  it("one commit that cannot be made, and one branch that cannot move, hold up no other", async () => {
    const [locked, fine] = [sandbox.worktree(main, "locked"), sandbox.worktree(main, "fine")];
    const ids: string[] = [];
    for (const [index, worktree] of [main, locked, fine].entries()) {
      sandbox.write(join(worktree, "a.txt"), `unique ${index}\n`);
      ids.push(await desk.enqueue({ worktree, message: "m", files: ["a.txt"] }));
    }
    // Content that is lost in spite of its pin, and a lock of somebody else.
    const lost = sandbox.git(main, "hash-object", "a.txt").trim();
    sandbox.remove(join(main, ".git/objects", lost.slice(0, 2), lost.slice(2)));
    sandbox.write(join(main, ".git/refs/heads/locked.lock"), "");
    await desk.flush();
    assert.deepEqual(desk.ends(ids), ["git-failed", "locked", "succeeded"]);
    assert.equal(sandbox.git(main, "show", "fine:a.txt"), "unique 2\n");
    assert.equal(sandbox.exists(join(main, ".git/refs/heads/locked.lock")), true);
    assert.deepEqual(
      readdirSync(join(main, ".git")).filter((name) => name.startsWith("fast_import_crash")),
      [],
    );
  });

  it("a worktree that is removed while queued loses no commit", async () => {
    const worktree = sandbox.worktree(main, "topic");
    sandbox.write(join(worktree, "a.txt"), "2\n");
    const id = await desk.enqueue({ worktree, message: "m", files: ["a.txt"] });
    sandbox.git(main, "worktree", "remove", "--force", worktree);
    await desk.flush();
    assert.deepEqual(desk.ends([id]), ["succeeded"]);
    assert.equal(sandbox.git(main, "show", "topic:a.txt"), "2\n");
  });

  it("commits on the queued branch although the worktree has moved to another", async () => {
    const id = await queue("a.txt", "2\n");
    sandbox.git(main, "stash", "-q");
    sandbox.git(main, "checkout", "-q", "-b", "other");
    await desk.flush();
    assert.deepEqual(desk.ends([id]), ["succeeded"]);
    assert.equal(sandbox.git(main, "show", "main:a.txt"), "2\n");
    assert.equal(sandbox.git(main, "show", "other:a.txt"), "1\n");
    assert.equal(sandbox.status(main), "");
  });

  it("records a submodule's commit", async () => {
    const inner = sandbox.repository("inner");
    sandbox.git(main, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "sub");
    sandbox.git(main, "commit", "-q", "-m", "submodule");
    sandbox.git(join(main, "sub"), "commit", "-q", "--allow-empty", "-m", "next");
    const id = await desk.enqueue({ worktree: main, message: "m", files: ["sub"] });
    await desk.flush();
    assert.deepEqual(desk.ends([id]), ["succeeded"]);
    assert.equal(sandbox.git(main, "rev-parse", "HEAD:sub").trim(), sandbox.tip(join(main, "sub"), "HEAD"));
    assert.equal(sandbox.status(main), "");
  });

  it("resolves what a person picks from", async () => {
    const worktree = sandbox.worktree(main, "topic");
    sandbox.remote(main);
    sandbox.write(join(worktree, "sub/new.txt"), "x\n");
    const found = await resolveRepository(desk.git, join(worktree, "sub"));
    assert.deepEqual(found, {
      kind: "repository",
      topLevel: worktree,
      commonDir: join(main, ".git"),
      gitDir: join(main, ".git/worktrees/topic"),
    });
    assert.deepEqual(await changedFiles(desk.git, worktree), [{ status: "??", path: "sub/new.txt" }]);
    assert.deepEqual(await listBranches(desk.git, main), ["main", "topic"]);
    assert.deepEqual(await listRemotes(desk.git, main), ["origin"]);
    rmSync(worktree, { recursive: true });
    const gone = await resolveRepository(desk.git, worktree);
    assert.equal(gone.kind === "problem" && gone.reason, "missing");
  });
});
