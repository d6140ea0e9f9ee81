import assert from "node:assert/strict";
import { callOf } from "../../../src/host/commands/caller.ts";
import { QueueNode } from "../../../src/host/tree/node.ts";

class Resource {
  readonly resourceUri: { scheme: string; fsPath: string };
  constructor(fsPath: string) {
    this.resourceUri = { scheme: "file", fsPath };
  }
}
const uri = (fsPath: string) => ({ scheme: "file", fsPath, path: fsPath, with: () => undefined });

describe("Who calls a command", () => {
  it("is code for any object literal, an empty one included", () => {
    assert.deepEqual(callOf([{}]), { from: "code", input: {} });
    assert.deepEqual(callOf([{ worktree: "/a" }]), { from: "code", input: { worktree: "/a" } });
    assert.equal(callOf([Object.create(null)]).from, "code");
    assert.equal(callOf([structuredClone({ kind: "git" })]).from, "code");
  });

  it("is code for what no menu passes, so that a mistake is refused and asks nobody", () => {
    for (const mistake of [null, "text", 7, true, [], [{ worktree: "/a" }]])
      assert.deepEqual(callOf([mistake]), { from: "code", input: mistake });
  });

  it("is a person where nothing is passed", () => {
    assert.deepEqual(callOf([]), { from: "person", subject: { kind: "none" } });
    assert.deepEqual(callOf([undefined]), { from: "person", subject: { kind: "none" } });
  });

  it("is a person who clicked in the Explorer, with the whole selection", () => {
    assert.deepEqual(callOf([uri("/a/b"), [uri("/a/b"), uri("/a/c")]]), {
      from: "person",
      subject: { kind: "files", files: ["/a/b", "/a/c"] },
    });
    assert.deepEqual(callOf([uri("/a"), []]), { from: "person", subject: { kind: "files", files: ["/a"] } });
  });

  it("is a person who clicked in Source Control: each selected row is an argument of its own", () => {
    assert.deepEqual(callOf([new Resource("/a/b"), new Resource("/a/c")]), {
      from: "person",
      subject: { kind: "files", files: ["/a/b", "/a/c"] },
    });
    assert.deepEqual(callOf([{ id: "index", resourceStates: [new Resource("/a/b")] }]), {
      from: "person",
      subject: { kind: "files", files: ["/a/b"] },
    });
    assert.deepEqual(callOf([{ id: "git", rootUri: uri("/a") }]), {
      from: "person",
      subject: { kind: "repository", root: "/a" },
    });
  });

  it("is a person who clicked on a row of the queue, alone or with others", () => {
    const one = new QueueNode({ kind: "operation", side: "git", operation: "1" });
    const two = new QueueNode({ kind: "operation", side: "git", operation: "2" });
    assert.deepEqual(callOf([one]), { from: "person", subject: { kind: "nodes", nodes: [one] } });
    assert.deepEqual(callOf([one, [one, two]]), {
      from: "person",
      subject: { kind: "nodes", nodes: [one, two] },
    });
    // Clicked outside the selection: only the clicked one is meant.
    assert.deepEqual(callOf([one, [two]]), { from: "person", subject: { kind: "nodes", nodes: [one] } });
  });

  it("is a person for an object of some other class", () => {
    assert.deepEqual(callOf([new Date(0)]), { from: "person", subject: { kind: "none" } });
  });
});
