import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import type { RequestOptions } from "node:http";
import { access, readdir, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { InputError, JournalError, StateError } from "../../../src/core/errors.ts";
import { placeToListen } from "../../../src/agents/socket.ts";
import { windowFile, windowsFolder } from "../../../src/agents/window-file.ts";
import { FakeUser } from "../../support/agents/windows.ts";
import type { FakeWindow, FakeWindowOptions } from "../../support/agents/windows.ts";
import { until } from "../../support/faults/until.ts";

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
const mode = async (file: string): Promise<string> => ((await stat(file)).mode & 0o777).toString(8);
const toolBody = JSON.stringify({ input: { a: 1 }, source: "cli" });

describe("The endpoint of a window", () => {
  let user: FakeUser;
  const open = (options?: FakeWindowOptions): Promise<FakeWindow> => user.open(options);
  const send = async (window: FakeWindow, options: RequestOptions, body: string | Buffer = "") => {
    const { address, token } = await window.entry();
    return new Promise<{ status: number; value: unknown }>((resolve, reject) => {
      const outgoing = request(
        { socketPath: address, headers: { authorization: `Bearer ${token}` }, ...options },
        (incoming) => {
          let said = "";
          incoming.on("data", (piece: Buffer) => (said += piece.toString()));
          incoming.on("end", () =>
            resolve({ status: incoming.statusCode!, value: JSON.parse(said) as unknown }),
          );
        },
      );
      outgoing.on("error", reject);
      // A body that a GET does not announce would be taken for a second request.
      outgoing.end(options.method === "POST" ? body : "");
    });
  };
  const tool = (window: FakeWindow, body: string | Buffer = toolBody) =>
    send(window, { method: "POST", path: "/v1/tools/batchControl_state" }, body);
  const messageOf = (value: unknown): string => (value as { error: { message: string } }).error.message;

  beforeEach(async () => {
    user = await FakeUser.create();
  });
  afterEach(() => user.dispose());

  it("runs a tool and answers what came of it", async () => {
    const window = await open({ run: ({ input }) => Promise.resolve({ got: input }) });
    assert.deepEqual(await tool(window), { status: 200, value: { got: { a: 1 } } });
    assert.deepEqual(window.calls, [{ tool: "batchControl_state", input: { a: 1 }, source: "cli" }]);
  });

  it("tells whether it is trusted, and whether it may execute a worktree", async () => {
    const describeAt = (window: FakeWindow, query: string) =>
      send(window, { method: "GET", path: `/v1/window${query}` }).then(({ value }) => value);
    const strange = "/a b&c=d/ü";
    const query = `?${new URLSearchParams({ worktree: strange }).toString()}`;
    const window = await open({ holds: [strange] });
    assert.deepEqual(await describeAt(window, query), { trusted: true, holds: true });
    assert.deepEqual(await describeAt(window, "?worktree=/other"), { trusted: true, holds: false });
    assert.deepEqual(await describeAt(window, ""), { trusted: true, holds: false });
    const untrusted = await open({ trusted: false, holds: [strange] });
    assert.deepEqual(await describeAt(untrusted, query), { trusted: false, holds: false });
  });

  it("answers only who knows its token", async () => {
    const window = await open();
    const { token } = await window.entry();
    for (const authorization of [
      "",
      "Bearer ",
      `Bearer ${token}0`,
      `Bearer ${"0".repeat(token.length)}`,
      token,
    ]) {
      for (const [method, route] of [
        ["POST", "/v1/tools/batchControl_state"],
        ["GET", "/v1/window"],
      ])
        assert.equal(
          (await send(window, { method, path: route, headers: { authorization } }, toolBody)).status,
          401,
        );
    }
    assert.deepEqual(window.calls, []);
  });

  it("is for its user alone: the folders, the file and the socket", async () => {
    const window = await open();
    const file = windowFile(user.folder, window.endpoint.window);
    const { address, pid } = await window.entry();
    assert.deepEqual(await Promise.all([windowsFolder(user.folder), path.dirname(address), file].map(mode)), [
      "700",
      "700",
      "600",
    ]);
    assert.equal(pid, process.pid);
    assert.deepEqual(await readdir(windowsFolder(user.folder)), [path.basename(file)]);
  });

  it("leaves nothing behind, and ends who waits", async () => {
    const window = await open({ run: () => new Promise(() => undefined) });
    const { address } = await window.entry();
    const waiting = assert.rejects(tool(window), /socket hang up|ECONNRESET/);
    await until(() => window.calls.length === 1);
    await window.endpoint.dispose();
    await waiting;
    assert.deepEqual(await readdir(windowsFolder(user.folder)), []);
    assert.equal(await exists(path.dirname(address)), false);
    await window.endpoint.open();
    assert.deepEqual(await readdir(windowsFolder(user.folder)), []);
  });

  it("clears away the files of windows that crashed before it", async () => {
    const crashed = await open();
    const ended = spawn(process.execPath, ["--eval", ""]);
    await once(ended, "exit");
    await user.leave("crashed", JSON.stringify({ ...(await crashed.entry()), pid: ended.pid }));
    const window = await open();
    assert.deepEqual(
      (await readdir(windowsFolder(user.folder))).sort(),
      [crashed, window].map(({ endpoint }) => `${endpoint.window}.json`).sort(),
    );
  });

  it("clears away the socket of a window that was killed, and nothing else", async () => {
    const ended = spawn(process.execPath, ["--eval", ""]);
    await once(ended, "exit");
    const entry = await (await open()).entry();
    // A process that is killed leaves its socket where it was.
    const killed = async (address: string, name: string): Promise<void> => {
      const source = `require("node:net").createServer().listen(process.argv[1], () => process.kill(process.pid, "SIGKILL"))`;
      await once(spawn(process.execPath, ["--eval", source, address]), "exit");
      await user.leave(name, JSON.stringify({ ...entry, address, pid: ended.pid }));
    };
    const ours = await placeToListen([user.folder]);
    const used = await placeToListen([user.folder]);
    const elsewhere = await placeToListen([user.home]);
    await writeFile(path.join(path.dirname(used.address), "kept"), "");
    await killed(ours.address, "a");
    await killed(used.address, "b");
    await killed(elsewhere.address, "c");
    assert.equal(await exists(ours.address), true);
    await open();
    const left = [path.dirname(ours.address), used.address, elsewhere.address];
    assert.deepEqual(await Promise.all(left.map(exists)), [false, true, true]);
  });

  it("listens anew when its socket or its file was swept away", async () => {
    const window = await open();
    const before = await window.entry();
    await rm(path.dirname(before.address), { recursive: true });
    await window.endpoint.open();
    const after = await window.entry();
    assert.notEqual(after.address, before.address);
    assert.equal((await tool(window)).status, 200);
    await rm(windowFile(user.folder, window.endpoint.window));
    await window.endpoint.open();
    assert.deepEqual(await window.entry(), after);
  });

  it("refuses what it does not understand, and says why", async () => {
    const window = await open({ maxBody: 1024 * 1024 });
    const refused: readonly (readonly [string | Buffer, number, RegExp])[] = [
      ["", 400, /is not JSON/],
      ["{", 400, /is not JSON/],
      ["[]", 400, /not understood/],
      ['{"input":{}}', 400, /source/],
      ['{"input":{},"source":"person"}', 400, /source/],
      ['{"input":{},"source":"cli","more":1}', 400, /more/],
      [Buffer.from([0x22, 0xff, 0x22]), 400, /not UTF-8/],
      [JSON.stringify({ input: "x".repeat(3 * 1024 * 1024), source: "cli" }), 413, /larger than 1 MB/],
    ];
    for (const [body, status, message] of refused) {
      const answered = await tool(window, body);
      assert.equal(answered.status, status, String(message));
      assert.match(messageOf(answered.value), message);
    }
    for (const [method, route] of [
      ["GET", "/v1/tools/batchControl_state"],
      ["POST", "/v1/tools/"],
      ["POST", "/v1/tools/a/b"],
      ["POST", "/v1/window"],
      ["GET", "/"],
      ["POST", "//"],
    ])
      assert.equal((await send(window, { method, path: route }, toolBody)).status, 404, route);
    assert.deepEqual(window.calls, []);
  });

  it("hands on a tool's refusal with its field and reason", async () => {
    const errors: readonly (readonly [Error, number, object])[] = [
      [
        new InputError("files", "is empty"),
        400,
        { name: "InputError", field: "files", reason: "invalid-input" },
      ],
      [new StateError("held", "There is no key."), 409, { name: "StateError", reason: "held" }],
      [new JournalError("full", "The disk is full."), 503, { name: "JournalError", reason: "full" }],
      [new TypeError("secret words"), 500, { name: "TypeError" }],
    ];
    for (const [error, status, data] of errors) {
      const window = await open({ run: () => Promise.reject(error) });
      assert.deepEqual(await tool(window), { status, value: { error: { message: error.message, ...data } } });
      assert.doesNotMatch(window.logged.join(), /secret words/);
    }
  });

  it("stops waiting for a client that has gone away", async () => {
    let signal: AbortSignal | undefined;
    const window = await open({
      run: (_, given) => {
        signal = given;
        return new Promise((_resolve, reject) =>
          given.addEventListener("abort", () => reject(new Error("gone"))),
        );
      },
    });
    const { address, token } = await window.entry();
    const outgoing = request({
      socketPath: address,
      method: "POST",
      path: "/v1/tools/batchControl_state",
      headers: { authorization: `Bearer ${token}` },
    });
    outgoing.on("error", () => undefined);
    outgoing.end(toolBody);
    await until(() => signal !== undefined);
    assert.equal(signal!.aborted, false);
    outgoing.destroy();
    await until(() => signal!.aborted);
    assert.deepEqual(window.logged, []);
  });

  it("listens elsewhere where the path of a socket would be too long", async () => {
    const long = path.join(user.home, "x".repeat(100));
    const place = await placeToListen([long, user.folder]);
    assert.equal(path.dirname(path.dirname(place.address)), user.folder);
    await place.dispose();
    await assert.rejects(placeToListen([long]), /too long/);
  });
});
