import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { AskpassEndpoint } from "../../../../src/host/credentials/askpass-endpoint.ts";
import type { EndpointDeps } from "../../../../src/host/credentials/askpass-endpoint.ts";
import { GithubCredentials } from "../../../../src/host/credentials/github-credentials.ts";
import { Desk } from "../../git/desk.ts";
import { Sandbox } from "../../git/sandbox.ts";

const run = promisify(execFile);
const program = path.resolve(import.meta.dirname, "../../../../src/host/credentials/askpass.ts");
const user = "Username for 'https://github.com': ";
const secret = "gho_secret";

describe("The askpass program", () => {
  const open: AskpassEndpoint[] = [];
  let sandbox: Sandbox;
  let logged: string[];
  let heard: string[];

  const endpoint = (answer: EndpointDeps["answer"], limitMs?: number): AskpassEndpoint => {
    const log = (message: string, error?: unknown) => void logged.push(`${message} ${String(error)}`);
    const made = new AskpassEndpoint({
      node: process.execPath,
      program,
      answer: (prompt) => {
        heard.push(prompt);
        return answer(prompt);
      },
      log: { debug: log, error: log },
      ...(limitMs === undefined ? {} : { limitMs }),
    });
    open.push(made);
    return made;
  };
  /** What git would read; `undefined` where the program failed, as it does without an answer. */
  const ask = async (environment: Readonly<Record<string, string>>, prompt = user) => {
    try {
      const { stdout } = await run(environment["GIT_ASKPASS"]!, [prompt], {
        env: { PATH: process.env["PATH"], ...environment },
      });
      return stdout;
    } catch (error) {
      assert.equal((error as { stdout: string }).stdout, "");
      return undefined;
    }
  };
  const script = (name: string, text: string): string => {
    const file = sandbox.path(name);
    sandbox.write(file, `#!/bin/sh\n${text}\n`);
    sandbox.makeExecutable(file);
    return file;
  };

  beforeEach(() => {
    sandbox = new Sandbox();
    logged = [];
    heard = [];
  });

  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.dispose()));
    sandbox.dispose();
  });

  it("brings git's question to the window and its answer back; nothing of either is logged", async () => {
    const environment = await endpoint(() => Promise.resolve(secret)).environment();
    assert.equal(await ask(environment), `${secret}\n`);
    assert.deepEqual([heard, logged], [[user], []]);
    assert.doesNotMatch(JSON.stringify(environment), /gho_secret/);
  });

  it("is answered only with the window's token", async () => {
    const environment = await endpoint(() => Promise.resolve(secret)).environment();
    const { BATCH_CONTROL_ASKPASS_TOKEN: token, ...without } = environment;
    assert.equal(await ask(without), undefined);
    for (const wrong of ["", token!.replace(/./, (first) => (first === "0" ? "1" : "0")), `${token}0`])
      assert.equal(await ask({ ...without, BATCH_CONTROL_ASKPASS_TOKEN: wrong }), undefined);
    assert.deepEqual(heard, []);
    assert.doesNotMatch(logged.join(), new RegExp(token!));
  });

  it("fails without an answer: none, one that takes too long, an error, a window that has gone", async () => {
    assert.equal(await ask(await endpoint(() => Promise.resolve(undefined)).environment()), undefined);
    assert.equal(await ask(await endpoint(() => new Promise(() => undefined), 1).environment()), undefined);
    assert.equal(await ask(await endpoint(() => Promise.reject(new Error("no"))).environment()), undefined);
    const gone = endpoint(() => Promise.resolve(secret));
    const environment = await gone.environment();
    const copy = script("copy", sandbox.read(environment["GIT_ASKPASS"]!));
    await gone.dispose();
    assert.equal(sandbox.exists(environment["GIT_ASKPASS"]!), false);
    assert.equal(await ask({ ...environment, GIT_ASKPASS: copy }), undefined);
  });

  it("lies in a folder of this user alone, and comes back where that was swept away", async () => {
    const kept = endpoint(() => Promise.resolve(secret));
    const first = await kept.environment();
    const folder = path.dirname(first["GIT_ASKPASS"]!);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.deepEqual(await kept.environment(), first);
    rmSync(folder, { recursive: true });
    assert.equal(await ask(await kept.environment()), `${secret}\n`);
  });

  it("lets the user's own program answer first", async () => {
    const window = endpoint(() => Promise.resolve(secret));
    const own = script("own", `case "$1" in Username*) echo mine;; *) exit 1;; esac`);
    const environment = await window.environment(own);
    assert.equal(await ask(environment), "mine\n");
    assert.equal(await ask(environment, "Password for 'https://github.com': "), `${secret}\n`);
    assert.equal(heard.length, 1);
  });

  describe("with a remote that demands credentials", () => {
    const seen: string[] = [];
    const server = createServer((request, response) => {
      if (request.headers.authorization !== undefined) seen.push(request.headers.authorization);
      response.writeHead(401, { "www-authenticate": 'Basic realm="x"' }).end();
    });
    let address: string;
    let clone: string;

    before(async () => {
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    after(() => {
      server.closeAllConnections();
      server.close();
    });
    beforeEach(() => {
      seen.length = 0;
      clone = sandbox.path("clone");
      sandbox.git(sandbox.root, "init", "-q", "-b", "main", clone);
      sandbox.git(clone, "commit", "-q", "--allow-empty", "-m", "one");
      sandbox.git(clone, "remote", "add", "origin", `${address}/x.git`);
    });

    async function pushed(answer: EndpointDeps["answer"]) {
      const window = endpoint(answer);
      const desk = new Desk(sandbox, {}, { environment: (own) => window.environment(own) });
      const id = await desk.enqueue({ worktree: clone });
      await desk.flush();
      assert.deepEqual(desk.ends([id]), ["needs-credentials"]);
      return JSON.stringify([...desk.results, ...desk.operations, ...desk.effects, ...desk.facts]);
    }
    const basic = (name: string, password: string) =>
      `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`;

    it("answers a push, and the secret is in no record of it", async () => {
      const record = await pushed((prompt) =>
        Promise.resolve(prompt.startsWith("Username") ? "ada" : secret),
      );
      assert.deepEqual(seen, [basic("ada", secret)]);
      assert.doesNotMatch(record + logged.join(), /gho_secret/);
      assert.doesNotMatch(record, new RegExp(Buffer.from(`ada:${secret}`).toString("base64")));
    });

    it("gives another host than github.com nothing", async () => {
      const github = new GithubCredentials({
        account: () => Promise.resolve({ name: "ada", token: secret }),
        signIn: () => Promise.reject(new Error("Nobody is to be asked.")),
        ask: () => Promise.reject(new Error("Nobody is to be asked.")),
        consent: { get: () => "given", set: () => Promise.resolve() },
        log: { info: () => undefined },
      });
      await pushed((prompt) => github.answer(prompt));
      assert.deepEqual(heard, [`Username for '${address}': `]);
      assert.deepEqual(seen, []);
    });

    it("is not asked where a helper has credentials", async () => {
      sandbox.git(clone, "config", "credential.helper", "!printf 'username=helper\\npassword=own\\n'; :");
      await pushed(() => Promise.resolve(secret));
      assert.deepEqual([heard, seen], [[], [basic("helper", "own")]]);
    });

    it("passes on the program that git is configured with", async () => {
      sandbox.git(clone, "config", "core.askPass", script("own", "echo configured"));
      await pushed(() => Promise.resolve(secret));
      assert.deepEqual([heard, seen], [[], [basic("configured", "configured")]]);
    });
  });
});
