import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { anthropicClientAt, items } from "./helpers.ts";

const main = new URL("../../support/simulator/main.ts", import.meta.url).pathname;

describe("simulator: command line", () => {
  it("prints its address, serves there, and ends on a signal", async () => {
    const child = spawn(process.execPath, [main, "--auto-end-ms", "1"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exited = once(child, "exit");
    try {
      const [url] = (await once(createInterface(child.stdout), "line")) as [string];
      assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
      const client = anthropicClientAt(url, "k");
      const { id } = await client.messages.batches.create({ requests: items(1) });
      while ((await client.messages.batches.retrieve(id)).processing_status !== "ended");
    } finally {
      child.kill("SIGTERM");
    }
    assert.deepEqual(await exited, [0, null]);
  }).timeout(20_000);
});
