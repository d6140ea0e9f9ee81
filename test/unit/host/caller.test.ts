import assert from "node:assert/strict";
import { runInNewContext } from "node:vm";
import { callOf } from "../../../src/host/commands/caller.ts";
import { QueueNode } from "../../../src/host/tree/node.ts";

class Resource {
  readonly resourceUri: { scheme: string; fsPath: string };
  constructor(fsPath: string) {
    this.resourceUri = { scheme: "file", fsPath };
  }
}
class Provider {
  readonly id = "git";
  readonly rootUri: object | undefined;
  constructor(rootUri?: object) {
    this.rootUri = rootUri;
  }
  createResourceGroup(): object {
    return {};
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
    for (const mistake of [null, "text", 7, true]) {
      assert.deepEqual(callOf([mistake]), { from: "code", input: mistake });
    }
    assert.equal(callOf([() => undefined]).from, "code");
  });

  const bare = Object.assign(Object.create(null) as object, { kind: "git" });

  /** Each would pass for a wish without fields, which is one for everything, or for a person's. */
  const mistakes: readonly (readonly [string, unknown])[] = [
    ["a list", []],
    ["a list of inputs", [{ kind: "git" }]],
    ["a list of what a menu passes", [uri("/a")]],
    [
      "an instance of a class with the very fields",
      new (class {
        kind = "git";
      })(),
    ],
    ["a Map", new Map([["kind", "git"]])],
    ["a Set", new Set()],
    ["a Date", new Date(0)],
    ["an error", new Error("git")],
    ["a pattern", /git/],
    ["bytes", new Uint8Array(2)],
    ["a promise", Promise.resolve({ kind: "git" })],
    ["inherited fields", Object.create({ kind: "git" })],
    ["fields inherited from what itself inherits nothing", Object.create(bare)],
  ];
  for (const [name, mistake] of mistakes)
    it(`is code that makes a mistake for ${name}`, () => {
      const call = callOf([mistake]);
      assert.ok(call.from === "mistake", call.from);
      assert.match(call.error.message, /^argument: must be an object literal/);
    });

  it("is code for an object literal of another realm", () => {
    assert.equal(callOf([runInNewContext("({ kind: 'git' })")]).from, "code");
  });

  it("is a person where nothing is passed", () => {
    assert.deepEqual(callOf([]), { from: "person", subject: { kind: "none" } });
    assert.deepEqual(callOf([undefined]), { from: "person", subject: { kind: "none" } });
    assert.deepEqual(callOf([undefined, undefined]), { from: "person", subject: { kind: "none" } });
  });

  it("is a person who clicked in the Explorer, with the whole selection", () => {
    assert.deepEqual(callOf([uri("/a/b"), [uri("/a/b"), uri("/a/c")]]), {
      from: "person",
      subject: { kind: "files", files: ["/a/b", "/a/c"] },
    });
    assert.deepEqual(callOf([uri("/a"), undefined]), {
      from: "person",
      subject: { kind: "files", files: ["/a"] },
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
    assert.deepEqual(callOf([new Provider(uri("/a")), undefined]), {
      from: "person",
      subject: { kind: "repository", root: "/a" },
    });
    assert.deepEqual(callOf([new Provider()]), { from: "person", subject: { kind: "none" } });
  });

  it("is a person who clicked on a row of the queue, alone or with others", () => {
    const one = new QueueNode({ kind: "operation", side: "git", operation: "1" });
    const two = new QueueNode({ kind: "operation", side: "git", operation: "2" });
    assert.deepEqual(callOf([one]), { from: "person", subject: { kind: "nodes", nodes: [one] } });
    assert.deepEqual(callOf([one, [one, two]]), {
      from: "person",
      subject: { kind: "nodes", nodes: [one, two] },
    });
    assert.deepEqual(callOf([one, undefined]), { from: "person", subject: { kind: "nodes", nodes: [one] } });
    // Clicked outside the selection: only the clicked one is meant.
    assert.deepEqual(callOf([one, [two]]), { from: "person", subject: { kind: "nodes", nodes: [one] } });
  });
});
