import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { outcomes } from "../../support/simulator/index.ts";
import { Rig, ask, until } from "./support/rig.ts";

const KEY = "canary-7d0f1c";

describe("The API key", function () {
  this.timeout(30_000);
  let rig: Rig;
  const saved = { ...process.env };
  afterEach(async () => {
    for (const name of Object.keys(process.env))
      if (!(name in saved)) Reflect.deleteProperty(process.env, name);
    await rig.close();
  });

  const providers = [
    { provider: "anthropic", model: "claude-sonnet-5-5" },
    { provider: "openai", model: "gpt-6-sol" },
  ] as const;

  for (const { provider, model } of providers) {
    it(`of ${provider} is not sent on when the address redirects to another`, async () => {
      const seen: string[] = [];
      const other = createServer((request, response) => {
        seen.push(JSON.stringify(request.headers));
        response.end("{}");
      });
      await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
      rig = await Rig.start({ key: KEY });
      try {
        const to = `http://localhost:${(other.address() as AddressInfo).port}/`;
        rig.simulator.misbehave({ match: {}, times: 100, do: { kind: "redirect", to, status: 307 } });
        await rig.enqueue(ask("One?", { provider, model }));
        await rig.flush();
        assert.deepEqual(seen, []);
        const { holds, llm } = await rig.journal.state();
        assert.deepEqual([holds.map(({ reason }) => reason), llm.queuedCount], [["redirected"], 1]);
      } finally {
        await new Promise((resolve) => other.close(resolve));
      }
    });

    it(`of ${provider} and its address are the only things that decide where requests go`, async () => {
      rig = await Rig.start({ key: KEY });
      const name = provider.toUpperCase();
      Object.assign(process.env, {
        [`${name}_BASE_URL`]: "http://127.0.0.1:9",
        [`${name}_API_KEY`]: "other-key",
        [`${name}_AUTH_TOKEN`]: "other-token",
        [`${name}_CUSTOM_HEADERS`]: "x-from-environment: yes\nAuthorization: Bearer other",
        [`${name}_LOG`]: "debug",
        [`${name}_ORG_ID`]: "other-org",
        [`${name}_PROJECT_ID`]: "other-project",
      });
      const [id = ""] = await rig.enqueue(ask("One?", { provider, model }));
      await rig.flush();
      assert.equal((await rig.journal.result(id))?.status, "succeeded");
      assert.equal(process.env[`${name}_API_KEY`], "other-key", "left as it was for others");
      for (const { headers } of rig.simulator.requests) {
        assert.equal(headers.authorization, `Bearer ${KEY}`);
        assert.doesNotMatch(JSON.stringify(headers), /other|from-environment/u);
      }
    });
  }

  for (const { provider, model } of providers) {
    it(`of ${provider} that an error repeats is masked wherever the error is told`, async () => {
      rig = await Rig.start({ key: KEY });
      const said = `Bearer ${KEY} may not, says the gateway (${KEY}).`;
      const body = { type: "error", error: { type: `bad_${KEY}`, message: said }, request_id: KEY };
      const create = { method: "POST", path: "/v1/messages/batches" };
      const refuse = { kind: "reply", status: 404, body, headers: { "request-id": KEY } } as const;
      rig.simulator.misbehave({
        match: provider === "anthropic" ? create : { method: "POST", path: "/v1/batches" },
        do: refuse,
      });
      rig.simulator.misbehave({
        match: { path: /messages$|responses$/u },
        times: 6,
        do: { ...refuse, status: 400 },
      });
      rig.simulator.setOutcome({ prompt: "Item", outcome: outcomes.invalidRequest(said) });
      const refused = await rig.enqueue(
        ask("Batch", { provider, model }),
        ask("Now", { provider, model, urgency: "now" }),
      );
      await rig.flush();
      const items = await rig.enqueue(ask("Item", { provider, model }), ask("Fine", { provider, model }));
      await rig.flush();
      const ids = [...refused, ...items];
      const results = await rig.results(ids);
      assert.deepEqual(
        results.map((result) => result?.status),
        ["failed", "failed", "failed", "succeeded"],
      );
      for (const result of results.slice(0, 3))
        assert.match(result?.error ?? "", /Bearer \[key\] may not, says the gateway \(\[key\]\)\./u);
      const operations = await Promise.all(ids.map((id) => rig.journal.operation(id)));
      const effects = await Promise.all(operations.map((one) => rig.journal.effects(one?.batch ?? "")));
      const all = { results, operations, effects, state: await rig.journal.state(), log: rig.warnings };
      assert.ok(!JSON.stringify(all).includes(KEY));
    });
  }

  it("is in no journal, log or file", async () => {
    rig = await Rig.start({ key: KEY });
    rig.simulator.misbehave({
      match: { method: "POST", path: "/v1/messages/batches" },
      do: { kind: "drop", acted: true },
    });
    rig.simulator.misbehave({ match: { path: /\/results$/u }, do: { kind: "delay", ms: 100 } });
    const ids = await rig.enqueue(
      ask("One?"),
      ask("Two?", { urgency: "now" }),
      ask("Three?", { provider: "openai", model: "gpt-6-sol" }),
    );
    const flushed = rig.flush();
    await until(() => rig.calls.some((call) => call.endsWith("/results")));
    for (const name of await readdir(rig.tempDir))
      assert.ok(!(await readFile(join(rig.tempDir, name), "utf8")).includes(KEY));
    await flushed;
    const operations = await Promise.all(ids.map((id) => rig.journal.operation(id)));
    const batches = await Promise.all(
      operations.map((operation) => rig.journal.batch(operation?.batch ?? "")),
    );
    const effects = await Promise.all(batches.map((batch) => rig.journal.effects(batch?.id ?? "")));
    const all = {
      operations,
      batches,
      effects,
      results: await rig.results(ids),
      state: await rig.journal.state(),
      log: rig.warnings,
    };
    assert.ok(!JSON.stringify(all).includes(KEY));
    assert.ok(rig.warnings.length > 0);
  });
});
