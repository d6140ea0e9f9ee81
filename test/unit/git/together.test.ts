import assert from "node:assert/strict";
import { join } from "node:path";
import { Product } from "../../support/git/product.ts";
import { Sandbox } from "./sandbox.ts";

describe("git: commits queued at the same time", function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let product: Product;
  let main: string;
  beforeEach(async () => {
    sandbox = new Sandbox();
    main = sandbox.repository("clone", { "dir/a.txt": "0\n" });
    product = await Product.open(sandbox);
  });
  afterEach(async () => {
    await product.close();
    sandbox.dispose();
  });

  it("take few processes, however many they are, over all worktrees", async () => {
    const worktrees = ["one", "two", "three"].map((name) => sandbox.worktree(main, name));
    const queue = async (round: string, size: number): Promise<number> => {
      const before = product.engine.gitRoom.git.started;
      const inputs = Array.from({ length: size }, (_, index) => {
        const worktree = worktrees[index % worktrees.length]!;
        const files = [`${round}${index}.txt`];
        sandbox.write(join(worktree, files[0]!), `${index}\n`);
        return { kind: "commit", worktree, message: `${round}${index}`, files } as const;
      });
      await Promise.all(inputs.map((input) => product.enqueue(input)));
      return product.engine.gitRoom.git.started - before;
    };
    assert.equal(await queue("more", 30), await queue("few", 3));
    await product.flush();
    assert.equal(sandbox.git(main, "log", "--format=%s", "main..one").trim().split("\n").length, 11);
  });

  it("build on each other in order, by whichever path into the worktree they were asked for", async () => {
    const contents = ["1\n", "2\n", "3\n", "4\n"];
    const asked: Promise<string>[] = [];
    for (const [index, content] of contents.entries()) {
      sandbox.write(join(main, `dir/${index}.txt`), content);
      const worktree = index % 2 === 0 ? main : join(main, "dir");
      const files = ["dir/a.txt", `dir/${index}.txt`];
      asked.push(
        product.enqueue({ kind: "commit", worktree, message: content.trim(), files, allowEmpty: true }),
      );
    }
    sandbox.write(join(main, "dir/a.txt"), "new\n");
    const ids = await Promise.all(asked);
    await product.flush();
    assert.deepEqual(
      product.ends(ids),
      ids.map(() => "succeeded"),
    );
    assert.equal(sandbox.git(main, "log", "--format=%s", "-4"), "4\n3\n2\n1\n");
    assert.equal(sandbox.status(main), "");
  });
});
