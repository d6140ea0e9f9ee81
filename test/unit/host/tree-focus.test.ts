import assert from "node:assert/strict";
import { TreeFocus } from "../../../src/host/tree/focus.ts";
import { QueueNode } from "../../../src/host/tree/node.ts";
import { batch, operation, snapshot } from "../../support/host/snapshots.ts";
import { modelOf, openTree } from "../../support/host/tree-desk.ts";

type Tree = Awaited<ReturnType<typeof openTree>>;

/** The first row whose id begins so, wherever it is. */
function find({ model }: Tree, id: string): QueueNode {
  const walk = (nodes: readonly QueueNode[]): QueueNode | undefined =>
    nodes.find((node) => node.id.startsWith(id)) ??
    nodes.map((node) => walk(model.children(node))).find((node) => node !== undefined);
  return walk(model.children()) ?? assert.fail(id);
}

const queuedIn = (tree: Tree): readonly QueueNode[] => tree.model.children(find(tree, "llm/queued"));

async function cancel(tree: Tree, ...rows: readonly QueueNode[]): Promise<void> {
  await tree.journal.cancel(rows.flatMap(({ ref }) => (ref.kind === "operation" ? [ref.operation] : [])));
}

/** Where the focus was put, with a tree that may or may not have it when it comes to that. */
function focusOf(tree: Tree, { mayHaveIt = true } = {}) {
  const rows: string[] = [];
  const failures: unknown[] = [];
  let watching = 0;
  let done = Promise.withResolvers<undefined>();
  const focus = new TreeFocus({
    model: tree.model,
    followed: async () => {
      await tree.refresh();
    },
    watch: () => {
      watching += 1;
      done = Promise.withResolvers();
      return {
        mayHaveIt: () => mayHaveIt,
        dispose: () => {
          watching -= 1;
          done.resolve(undefined);
        },
      };
    },
    reveal: (row) => {
      rows.push(row.id);
      return Promise.resolve();
    },
    failed: (error) => failures.push(error),
  });
  return { focus, rows, failures, watching: () => watching, ended: () => done.promise };
}

describe("The focus in the tree", () => {
  it("goes to the row that follows one that was taken away, else to the one before it", async () => {
    const tree = await openTree(3);
    const [first, second, third] = queuedIn(tree);
    const { focus, rows, ended, watching } = focusOf(tree);
    await focus.keep(second!, () => cancel(tree, second!));
    await ended();
    await focus.keep(third!, () => cancel(tree, third!));
    await ended();
    assert.deepEqual(rows, [third!.id, first!.id]);
    assert.equal(watching(), 0);
  });

  it("passes over rows that went along, to what is beside the row that held them", async () => {
    const tree = await openTree(4);
    const [first, second, third, fourth] = queuedIn(tree);
    const { focus, rows, ended } = focusOf(tree);
    await focus.keep(first!, () => cancel(tree, first!, second!));
    await ended();
    assert.deepEqual(rows, [third!.id]);
    await focus.keep(third!, () => cancel(tree, third!, fourth!));
    await ended();
    assert.deepEqual(rows, [third!.id, "llm/finished"]);
  });

  it("goes to what held the row when nothing beside it is left", () => {
    const of = snapshot({
      git: { queued: [operation("q")] },
      llm: { executed: [batch("b")] },
    });
    const model = modelOf(of);
    const near = model.near(new QueueNode({ kind: "operation", side: "git", operation: "q" }));
    assert.deepEqual(
      near.map(({ id }) => id),
      ["git/queued", "git", "llm"],
    );
  });

  it("stays where it is when its row does, and when it is elsewhere by then", async () => {
    const tree = await openTree(2);
    const [first] = queuedIn(tree);
    const stays = focusOf(tree);
    await stays.focus.keep(first!, () => Promise.resolve());
    await stays.ended();
    assert.deepEqual(stays.rows, []);
    const lost = focusOf(tree, { mayHaveIt: false });
    await lost.focus.keep(first!, () => cancel(tree, first!));
    await lost.ended();
    assert.deepEqual(lost.rows, []);
    assert.deepEqual(lost.failures, []);
  });

  it("goes to the first row that a further page brought", async () => {
    const tree = await openTree(450);
    for (const expected of ["Request 200", "Request 400"]) {
      const more = find(tree, "llm/more");
      const { focus, rows } = focusOf(tree);
      await focus.lead(async () => (await tree.model.showMore(more)).first);
      const shown = queuedIn(tree).find(({ id }) => id === rows[0]);
      assert.equal(shown && tree.model.draw(shown)?.label, expected);
    }
  });

  it("leaves what was answered alone when it cannot be put anywhere", async () => {
    const tree = await openTree(1);
    const { focus, failures } = focusOf(tree);
    await focus.lead(() => Promise.reject(new Error("no page")));
    assert.match(String(failures[0]), /no page/);
  });

  it("knows the row in which each row stands, of every kind", () => {
    const at = (id: string, worktree: string) => operation(id, { kind: "commit", detail: { worktree } });
    const failed = operation("f", { status: "failed" });
    const model = modelOf(
      snapshot({
        git: {
          queued: [at("a", "/one"), at("b", "/two"), at("c", "/one")],
          queuedCount: 5,
          pending: [batch("p", { status: "pending" })],
          executing: [batch("e", { status: "executing" })],
          executed: [
            batch("x", { operationCount: 9 }),
            batch("y", { operations: [failed] }),
            batch("z", { day: 27 }),
          ],
        },
        llm: { queued: [operation("r", { kind: "request" })] },
      }),
    );
    const kinds = new Set<string>();
    const check = (nodes: readonly QueueNode[], parent: QueueNode | undefined): void => {
      for (const node of nodes) {
        kinds.add(node.ref.kind);
        assert.equal(model.parent(node), parent, node.id);
        assert.ok(model.has(node), node.id);
        check(model.children(node), node);
      }
    };
    check(model.children(), undefined);
    assert.deepEqual([...kinds].sort(), ["batch", "day", "more", "operation", "place", "section", "side"]);
    for (const gone of [
      { kind: "batch", side: "git", batch: "gone" },
      { kind: "operation", side: "llm", operation: "a" },
      { kind: "section", side: "llm", section: "failed" },
      { kind: "more", side: "llm" },
    ] as const)
      assert.ok(!model.has(new QueueNode(gone)), gone.kind);
  });
});
