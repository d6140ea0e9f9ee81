import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { isAlive, ownIdentity, startOf } from "../../../src/journal/process-identity.ts";

describe("process identity", () => {
  it("finds itself alive, and stays the same", async () => {
    const own = await ownIdentity();
    assert.equal(own.pid, process.pid);
    assert.notEqual(own.start, "");
    assert.deepEqual(await ownIdentity(), own);
    assert.equal(await isAlive(own), true);
  });

  it("takes a process with the same number and another start for dead", async () => {
    const own = await ownIdentity();
    assert.equal(await isAlive({ ...own, start: `${own.start}0` }), false);
  });

  it("sees a process end", async () => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    await once(child, "spawn");
    const pid = child.pid!;
    const identity = { pid, start: (await startOf(pid))! };
    assert.equal(await isAlive(identity), true);
    child.kill("SIGKILL");
    await once(child, "exit");
    assert.equal(await isAlive(identity), false);
    assert.equal(await startOf(pid), undefined);
  });

  it("finds no process under an impossible number", async () => {
    assert.equal(await startOf(-1), undefined);
    assert.equal(await startOf(0), undefined);
  });
});
