import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { gitEnvironment, scrubbedEnvironment } from "../../../src/git/environment.ts";
import { withoutKeys } from "../../../src/host/key-variables.ts";

describe("A key in the environment of the window", () => {
  const canary = "canary-5e11";
  const environment = { PATH: "/bin", ANTHROPIC_API_KEY: canary, OPENAI_API_KEY: canary, HOME: "/home/me" };

  it("is in the environment of no program that is started", () => {
    const given = withoutKeys(environment);
    assert.deepEqual(given, { PATH: "/bin", HOME: "/home/me" });
    for (const each of [gitEnvironment(given), scrubbedEnvironment(given)])
      assert.ok(!JSON.stringify(each).includes(canary));
    assert.equal(environment.ANTHROPIC_API_KEY, canary, "the window keeps it");
  });

  it("is taken out where the product is put together, the only place that hands the environment on", async () => {
    const root = await readFile("src/extension.ts", "utf8");
    assert.match(root, /environment: withoutKeys\(process\.env\)/u);
    assert.equal(root.match(/process\.env/gu)?.length, 2, "the other use is reading the keys");
  });
});
