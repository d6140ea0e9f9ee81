import assert from "node:assert/strict";
import { join } from "node:path";
import { InputError } from "../../../../src/core/errors.ts";
import type { GitInput } from "../../../../src/core/schema/inputs.ts";
import { Product } from "../../../support/git/product.ts";
import { Sandbox } from "../sandbox.ts";

const hostile = [
  ...[
    "--upload-pack=touch pwned",
    "--upload-pack=touch",
    "--exec=touch",
    "--force",
    "-c",
    "-oProxyCommand=x",
  ],
  ...[
    "a\nb",
    "-c\ncore.pager=x",
    "../x",
    "../../etc/passwd",
    "a/../b",
    "a\x01b",
    "a\x1b[31mb",
    "a\x7fb",
    "a\x9bb",
  ],
  ...[
    "a\u202eb",
    "a\u2028b",
    "x".repeat(4096),
    `--${"y".repeat(4096)}`,
    "\x01".repeat(4096),
    "ü".repeat(4096),
  ],
  ...["a..b", "a b", "@{u}", "x.lock", ".x", "a:b", "refs/heads/../x", "/", "ext::sh -c x"],
];
/** What turns terminals and logs upside down: control characters, separators of lines, turns of direction. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

describe("git edge cases: hostile names", function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let product: Product;
  let worktree: string;
  before(async () => {
    sandbox = new Sandbox();
    worktree = sandbox.repository("clone");
    sandbox.remote(worktree);
    product = await Product.open(sandbox);
  });
  after(async () => {
    await product.close();
    sandbox.dispose();
  });

  const fields: Readonly<Record<string, (name: string) => GitInput>> = {
    worktree: (name) => ({ worktree: name }),
    "worktree of a commit": (name) => ({ worktree: name, message: "m" }),
    "worktree, absolute": (name) => ({ worktree: `${worktree}/none/${name}` }),
    branch: (name) => ({ worktree, branch: name }),
    "branch of a commit": (name) => ({ worktree, branch: name, message: "m", files: ["a.txt"] }),
    source: (name) => ({ worktree, source: name, target: "main" }),
    target: (name) => ({ worktree, source: "main", target: name }),
    remote: (name) => ({ worktree, remote: name }),
    files: (name) => ({ worktree, message: "m", files: [name] }),
    tags: (name) => ({ worktree, tags: [name] }),
  };

  for (const [what, input] of Object.entries(fields)) {
    it(`as ${what}: refused with words that a person can read and act on, and no process takes one for an option`, async () => {
      const seen = product.trace.all().length;
      for (const name of hostile) {
        await assert.rejects(product.enqueue(input(name)), (error: unknown) => {
          assert.ok(error instanceof InputError, String(error));
          assert.equal(error.field.split(".")[0], what.split(/[ ,]/)[0]);
          assert.ok(error.message.startsWith(`${error.field}: `), error.message);
          assert.doesNotMatch(error.message, unprintable);
          assert.doesNotMatch(error.message, /(x|y|ü|\\u0001){81}/, "only the beginning of a long name");
          assert.ok(error.message.length < 900, error.message);
          assert.match(error.message, /; (there|give|name|include) |does not exist|must be (a|the) /);
          return true;
        });
      }
      for (const argv of product.trace.all().slice(seen)) assertHarmless(argv);
      assert.equal(sandbox.exists(join(worktree, "pwned")), false);
    });
  }

  /** Everything before `--` is ours; what comes behind it is never an option. */
  function assertHarmless(argv: readonly string[]): void {
    const end = argv.includes("--") ? argv.indexOf("--") : argv.length;
    for (const [index, arg] of argv.slice(0, end).entries()) {
      if (arg === "-c")
        assert.match(argv[index + 1] ?? "", /^(core|gc|maintenance|protocol)\.[\w.]+=/, argv.join(" "));
      else
        assert.ok(
          !hostile.some((name) => arg === name || (name.length > 2 && arg.includes(name))),
          `git saw ${JSON.stringify(arg)}`,
        );
    }
  }
});
