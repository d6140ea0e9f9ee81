import assert from "node:assert/strict";
import type { Subject } from "../../../src/host/commands/caller.ts";
import { enqueueCommands } from "../../../src/host/commands/enqueue.ts";
import { asRepository, byWorktree } from "../../../src/host/commands/subjects.ts";
import { QueueNode } from "../../../src/host/tree/node.ts";

const worktree = (path: string) => ({ path, repository: "app", main: "/w/one" });
const all = [worktree("/w/one"), worktree("/w/two")];
const files = (...names: readonly string[]): Subject => ({ kind: "files", files: names });

describe("What was pointed at", () => {
  it("stands for its worktree where it is the row of one", () => {
    const place = (side: "git" | "llm", at: string): Subject => ({
      kind: "nodes",
      nodes: [new QueueNode({ kind: "place", side, place: at })],
    });
    assert.deepEqual(asRepository(place("git", "/w/one")), { kind: "repository", root: "/w/one" });
    for (const other of [
      place("git", "git:/w/.git"),
      place("llm", "llm:anthropic/judge/m"),
      files("/w/one/a"),
    ])
      assert.equal(asRepository(other), other);
  });

  it("falls apart by worktree, and what lies in none goes with the first", () => {
    assert.deepEqual(byWorktree(files("/w/one/a", "/w/two/b", "/w/one/c", "/x"), all), [
      files("/w/one/a", "/w/one/c", "/x"),
      files("/w/two/b"),
    ]);
    assert.deepEqual(byWorktree(files("/x"), all), [files("/x")]);
    assert.deepEqual(byWorktree({ kind: "none" }, all), [{ kind: "none" }]);
  });
});

describe("Queue Commit of files of two worktrees", () => {
  const open = () => {
    const asked: Subject[] = [];
    const said: string[] = [];
    const queued: unknown[] = [];
    const flows = {
      commit: (subject: Subject) => {
        asked.push(subject);
        const worktreePath =
          subject.kind === "files" && subject.files[0]!.startsWith("/w/two") ? "/w/two" : "/w/one";
        return Promise.resolve({ worktree: worktreePath, message: "m", files: ["f"] });
      },
      wasQueued: () => undefined,
    };
    const git = {
      enqueue: (input: unknown) => {
        queued.push(input);
        return Promise.resolve({ id: String(queued.length), result: new Promise(() => undefined) });
      },
    };
    const { enqueueCommit } = enqueueCommands({ git, llm: git } as never, flows as never, {} as never, {
      worktrees: () => Promise.resolve(all),
      agree: (worktrees) => Promise.resolve(void said.push(worktrees.join())),
    });
    return { enqueueCommit, asked, said, queued };
  };

  it("says so and asks for each of them", async () => {
    const { enqueueCommit, asked, said, queued } = open();
    await enqueueCommit.fromPerson(files("/w/one/a", "/w/two/b"));
    assert.deepEqual(said, ["/w/one,/w/two"]);
    assert.deepEqual(asked, [files("/w/one/a"), files("/w/two/b")]);
    assert.deepEqual(
      queued.map((input) => (input as { worktree: string }).worktree),
      ["/w/one", "/w/two"],
    );
  });

  it("asks once and says nothing where they are of one", async () => {
    const { enqueueCommit, asked, said } = open();
    await enqueueCommit.fromPerson(files("/w/two/a", "/w/two/b"));
    assert.deepEqual([said, asked], [[], [files("/w/two/a", "/w/two/b")]]);
  });
});
