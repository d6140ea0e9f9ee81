import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { makeBranches } from "../../../support/git/branches.ts";
import { Product } from "../../../support/git/product.ts";
import { Sandbox } from "../sandbox.ts";

describe("git edge cases: credentials", function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let product: Product | undefined;
  let main: string;
  let server: Server;
  let answered: number;
  beforeEach(async () => {
    sandbox = new Sandbox();
    main = sandbox.repository("clone");
    answered = 0;
    server = createServer((request, response) => {
      if (request.headers.authorization !== undefined) answered += 1;
      response.writeHead(401, { "www-authenticate": 'Basic realm="x"' }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    sandbox.git(main, "remote", "add", "origin", `http://127.0.0.1:${port}/x.git`);
    makeBranches(sandbox, main, "b1", "b2");
  });
  afterEach(async () => {
    await product?.close();
    server.closeAllConnections();
    server.close();
    sandbox.dispose();
  });
  const flush = async (opened: Product): Promise<void> => {
    product = opened;
    const ids = await opened.enqueueAll({ worktree: main, branch: "b1" }, { worktree: main, branch: "b2" });
    await opened.flush({ ends: Object.fromEntries(ids.map((id) => [id, "needs-credentials"])) });
    for (const id of ids)
      assert.match(opened.result(id).error ?? "", /needs credentials for http:\/\/127\.0\.0\.1/);
  };

  it("without any, the push fails at once and says so; nobody is prompted", async () => {
    await flush(await Product.open(sandbox));
    assert.equal(answered, 0);
  });

  it("where they are answered, one user and one password are asked for all branches", async () => {
    const askpass = sandbox.path("askpass");
    const log = sandbox.path("asked");
    sandbox.write(askpass, `#!/bin/sh\necho "$1" >> '${log}'\necho secret\n`);
    sandbox.makeExecutable(askpass);
    await flush(await Product.open(sandbox, { credentials: { GIT_ASKPASS: askpass } }));
    assert.deepEqual(
      sandbox
        .read(log)
        .trim()
        .split("\n")
        .map((line) => line.split(" ")[0]),
      ["Username", "Password"],
    );
    assert.equal(answered, 1);
  });
});
