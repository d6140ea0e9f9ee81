import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import * as v from "valibot";
import { FakeUser } from "../../support/agents/windows.ts";
import { root } from "../../support/paths.ts";

const program = path.join(root, "src/agents/mcp.ts");
const answerSchema = v.object({
  jsonrpc: v.literal("2.0"),
  id: v.number(),
  result: v.optional(v.unknown()),
  error: v.optional(v.object({ code: v.number(), message: v.string() })),
});

describe("The program of the MCP server", function () {
  this.timeout(30_000);
  let user: FakeUser;
  beforeEach(async () => {
    user = await FakeUser.create();
  });
  afterEach(() => user.dispose());

  const start = (...args: readonly string[]) =>
    spawn(process.execPath, [program, ...args], {
      env: { ...process.env, HOME: user.home, USERPROFILE: user.home },
    });
  const run = async (...args: readonly string[]) => {
    const child = start(...args);
    child.stdin.end();
    const exit = once(child, "exit") as Promise<[number]>;
    const [out, complaints, [code]] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
    return { out, complaints, code };
  };

  it("tells people what it is", async () => {
    const help = await run("--help");
    assert.match(help.out, /^The MCP server of Batch Control/);
    assert.deepEqual([help.complaints, help.code], ["", 0]);
    const version = await run("--version");
    assert.match(version.out, /^\d+\.\d+\.\d+\n$/);
    assert.equal(version.code, 0);
  });

  it("refuses what it does not know", async () => {
    for (const argument of ["--port", "-x", "serve"]) {
      const { out, complaints, code } = await run(argument);
      assert.equal(out, "");
      assert.match(complaints, new RegExp(argument));
      assert.equal(code, 2);
    }
  });

  it("is also found under the name of the command line", async () => {
    const child = spawn(process.execPath, [path.join(root, "src/agents/cli.ts"), "mcp", "--help"]);
    const [out, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
    assert.deepEqual([out, complaints], [(await run("--help")).out, ""]);
  });

  it("ends without a word where its client goes before it says anything", async () => {
    assert.deepEqual(await run(), { out: "", complaints: "", code: 0 });
  });

  it("prints nothing but the protocol, whatever it is sent, and repeats nothing of it", async () => {
    await user.open();
    const child = start();
    const complaints = text(child.stderr);
    let seen = "";
    child.stdout.on("data", (piece: Buffer) => (seen += piece.toString()));
    const initialize = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "raw", version: "1" },
    };
    const call = (params: unknown) => ({ jsonrpc: "2.0", method: "tools/call", params });
    const messages: readonly (string | object)[] = [
      { jsonrpc: "2.0", id: 1, method: "initialize", params: initialize },
      "sk-secret is not JSON",
      "",
      "[]",
      "null",
      `${"[".repeat(50_000)}sk-secret`,
      { jsonrpc: "1.0", id: 2, method: "sk-secret" },
      { jsonrpc: "2.0", id: 3, method: "sk-secret" },
      { ...call({ name: 7, arguments: "sk-secret" }), id: 4 },
      { ...call({ name: "batchControl_state", arguments: ["sk-secret"] }), id: 5 },
      { ...call({ name: "__proto__" }), id: 6 },
      { ...call(undefined), id: 7 },
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 99 } },
      { ...call({ name: "batchControl_state" }), id: 8 },
    ];
    for (const message of messages)
      child.stdin.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`);
    while (!seen.includes('"id":8')) await once(child.stdout, "data");
    child.stdin.end();
    await once(child, "close");
    const answers = seen
      .trimEnd()
      .split("\n")
      .map((line) => v.parse(answerSchema, JSON.parse(line)));
    const refused = answers.filter(({ error }) => error).map(({ id }) => id);
    assert.deepEqual(refused.sort(), [3, 4, 5, 6, 7]);
    assert.equal(answers.length, 7);
    assert.doesNotMatch(await complaints, /sk-secret/);
    assert.match(await complaints, /A message was not understood/);
  });
});
