import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, rmdir } from "node:fs/promises";
import path from "node:path";
import { main } from "../../../src/agents/command-line/main.ts";
import { inputs, toldCommit, useTerminal } from "../../support/agents/terminal.ts";
import type { Answers } from "../../support/agents/terminal.ts";

const FULL = "/dev/full";

describe("The command line and what is around it", function () {
  this.timeout(20_000);
  const terminal = useTerminal();
  const asking = (input: Buffer) => {
    const { child, ended } = terminal.start(["ask", "--model", "m", "-"]);
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    return ended;
  };

  it("ends with 1 where its answer is lost, and keeps the exit code of what failed before", async function () {
    if (!existsSync(FULL)) this.skip();
    await terminal.answering({ state: { operations: [toldCommit("succeeded")] } });
    const lost = "The answer could not be written (ENOSPC).\n";
    assert.deepEqual(await terminal.runInto(FULL, "wait", "op-1"), { code: 1, err: lost });
    assert.deepEqual(await terminal.runInto(FULL, "--help"), { code: 1, err: lost });
    const misused = await terminal.runInto(FULL, "commit", "--json");
    assert.deepEqual([misused.code, misused.err.endsWith(lost)], [2, true]);
  });

  it("ends quietly and with its exit code where nobody reads any more", async () => {
    const unread = async (...args: readonly string[]) => {
      const { child, ended } = terminal.start(args);
      ended.catch(() => undefined);
      child.stdout.destroy();
      const [code] = (await once(child, "exit")) as [number | null];
      return code;
    };
    assert.equal(await unread("push", "--json"), 1);
    await terminal.answering({ enqueueGit: { id: "op-1", status: "queued" } });
    assert.equal(await unread("push"), 0);
  });

  it("refuses a prompt that is no text or too long, and drops a mark of the byte order", async () => {
    const window = await terminal.answering({ enqueueRequests: { ids: ["op-1"] } });
    const refused = await asking(Buffer.from([0x61, 0xff, 0x62]));
    assert.deepEqual(refused, { code: 1, out: "", err: "Standard input is not UTF-8 text.\n" });
    const long = await asking(Buffer.alloc(61 * 1024 * 1024, "x"));
    assert.deepEqual(long, { code: 1, out: "", err: "Standard input has more than 60 MB; split it.\n" });
    assert.deepEqual(window.calls, []);
    assert.equal((await asking(Buffer.from("\ufeffWhy, ü?"))).code, 0);
    const [{ requests }] = inputs(window) as [{ requests: { prompt: string }[] }];
    assert.equal(requests[0]?.prompt, "Why, ü?");
  });

  it("stops to read what is too long, though more may come", async () => {
    const { child, ended } = terminal.start(["ask", "--model", "m", "-"]);
    child.stdin.on("error", () => undefined);
    child.stdin.write(Buffer.alloc(61 * 1024 * 1024, "x"));
    const { code, err } = await ended;
    assert.deepEqual([code, err], [1, "Standard input has more than 60 MB; split it.\n"]);
  });

  it("says in a sentence where its folder is gone", async function () {
    if (process.platform === "win32") this.skip();
    const folder = path.join(terminal.home, "gone");
    const inGone = async (...args: readonly string[]) => {
      await mkdir(folder);
      const { ended } = terminal.start(args, folder);
      await rmdir(folder);
      return ended;
    };
    const plain = await inGone("state");
    assert.deepEqual(plain, { code: 1, out: "", err: "The current folder is no longer there.\n" });
    const { code, out, err } = await inGone("state", "--json");
    assert.deepEqual([code, err], [1, ""]);
    assert.equal((JSON.parse(out) as { error: Answers }).error["reason"], "no-folder");
  });

  it("says in a sentence what it did not foresee", async () => {
    const said: string[] = [];
    const tell = (line: string): void => void said.push(line);
    const ending = (...args: readonly string[]) =>
      main({
        args,
        cwd: () => terminal.home,
        version: () => "1.0.0",
        call: () => Promise.reject(new TypeError("no\nsuch thing")),
        readInput: () => Promise.resolve(""),
        print: tell,
        complain: tell,
        signal: new AbortController().signal,
      });
    assert.deepEqual([await ending("state"), await ending("state", "--json")], [1, 1]);
    const message = "This failed unexpectedly: no such thing";
    const error = { name: "TypeError", message, reason: "unexpected" };
    assert.deepEqual(said, [message, JSON.stringify({ error })]);
  });
});
