import assert from "node:assert/strict";
import type { PartFault } from "../../support/simulator/index.ts";
import { anthropicFaults, outcomes } from "../../support/simulator/index.ts";
import { Rig, ask, until } from "./support/rig.ts";

const CREATE = "POST /v1/messages/batches";
const results = { method: "GET", path: /\/results$/u };
const many = (count: number): ReturnType<typeof ask>[] =>
  Array.from({ length: count }, (_, n) => ask(`Number ${n}`));

describe("Reading the results of a batch", function () {
  this.timeout(30_000);
  let rig: Rig;
  afterEach(() => rig.close());

  const detail = async (id: string): Promise<Record<string, unknown>> => {
    const operation = await rig.journal.operation(id);
    return ((await rig.journal.batch(operation?.batch ?? ""))?.detail ?? {}) as Record<string, unknown>;
  };
  const statuses = async (ids: readonly string[]): Promise<Record<string, number>> => {
    const counts: Record<string, number> = {};
    for (const result of await rig.results(ids))
      counts[result?.status ?? "none"] = (counts[result?.status ?? "none"] ?? 0) + 1;
    return counts;
  };

  const shortFiles: [string, PartFault][] = [
    ["ends at a line end after 60 of 100", { kind: "endAfter", parts: 60 }],
    ["is cut in the middle of a line", { kind: "cutInside", part: 60 }],
    ["breaks off with the connection", { kind: "dropAfter", parts: 60 }],
    ["has a damaged line", { kind: "damage", part: 60 }],
  ];
  for (const [what, fault] of shortFiles) {
    it(`keeps what came and fetches the file again when it ${what}`, async () => {
      rig = await Rig.start();
      rig.simulator.misbehave({ match: results, do: { kind: "parts", faults: [fault] } });
      const ids = await rig.enqueue(...many(100));
      const flushed = rig.flush();
      await until(async () => (await statuses(ids))["succeeded"] !== undefined);
      await flushed;
      assert.deepEqual(await statuses(ids), { succeeded: 100 });
      assert.equal(rig.count(CREATE), 1);
      const { stats } = (await rig.journal.state()).llm;
      const sum = (await rig.results(ids)).reduce(
        (tokens, result) => tokens + (result?.usage?.outputTokens ?? 0),
        0,
      );
      assert.equal(stats.outputTokens, sum, "a line that was read twice is counted once");
    });
  }

  it("tells missing lines apart when they stay missing, and asks for them no longer", async () => {
    rig = await Rig.start();
    rig.simulator.setOutcome({ prompt: "Number 3", outcome: { kind: "missing" } });
    const ids = await rig.enqueue(...many(5));
    await rig.flush();
    const result = (await rig.results(ids))[3];
    assert.deepEqual([result?.status, result?.reason], ["failed", "result-missing"]);
    assert.deepEqual(await statuses(ids), { succeeded: 4, failed: 1 });
    assert.deepEqual((await detail(ids[0] ?? ""))["lines"], { missing: 1 });
  });

  it("tolerates blank lines, carriage returns and characters cut between chunks", async () => {
    rig = await Rig.start();
    const text = "a\u2028b\u2029c\u0085d\re😀f ü";
    rig.simulator.setOutcome({ customId: /./u, outcome: { kind: "succeeded", text } });
    rig.simulator.misbehave({
      match: results,
      do: {
        kind: "parts",
        faults: [{ kind: "crlf" }, { kind: "insert", after: 1, text: "\n\n" }, { kind: "chunks", bytes: 7 }],
      },
    });
    const ids = await rig.enqueue(...many(3));
    await rig.flush();
    for (const result of await rig.results(ids)) assert.equal(result?.text, text);
    assert.equal(rig.calls.filter((call) => call.endsWith("/results")).length, 1);
  });

  it("matches by id, keeps the first of two lines, and lists ids that nobody sent", async () => {
    rig = await Rig.start({ order: "reversed" });
    rig.simulator.setOutcome({ prompt: "Number 1", outcome: outcomes.says("one") });
    rig.simulator.setOutcome({ prompt: "Number 2", outcome: outcomes.says("two") });
    rig.simulator.misbehave({
      match: results,
      do: {
        kind: "parts",
        faults: [
          { kind: "repeat", part: 1, altered: true },
          { kind: "unknownId", after: 2, id: "nobody" },
        ],
      },
    });
    const ids = await rig.enqueue(ask("Number 1"), ask("Number 2"));
    await rig.flush();
    assert.deepEqual(
      (await rig.results(ids)).map((result) => result?.text),
      ["one", "two"],
    );
    assert.deepEqual((await detail(ids[0] ?? ""))["lines"], { duplicate: 1, unknown: 1 });
    assert.equal((await rig.journal.state()).llm.stats.totalRequests, 2);
  });

  it("gives every request its own outcome, and a retry sends only what did not succeed", async () => {
    rig = await Rig.start();
    rig.simulator.setOutcome({ prompt: "invalid", outcome: outcomes.invalidRequest() });
    rig.simulator.setOutcome({ prompt: "broken", outcome: outcomes.apiError() });
    rig.simulator.setOutcome({ prompt: "late", outcome: { kind: "expired" } });
    const ids = await rig.enqueue(
      ...Array.from({ length: 100 }, (_, n) =>
        ask(`${n < 70 ? "good" : n < 80 ? "invalid" : n < 90 ? "broken" : "late"} ${n}`),
      ),
    );
    await rig.flush();
    assert.deepEqual(await statuses(ids), { succeeded: 70, failed: 20, expired: 10 });
    const all = await rig.results(ids);
    assert.deepEqual(
      [all[75]?.reason, all[85]?.reason, all[95]?.reason],
      ["invalid_request_error", "api_error", "expired"],
    );
    const billed = all.filter((result) => result?.costUsd !== undefined);
    assert.equal(billed.length, 70);

    rig.simulator.reset();
    const again = await Promise.all(
      [...ids.slice(80)].map(async (id) => {
        const operation = await rig.journal.operation(id);
        assert.ok(operation);
        const draft = await rig.acceptor.again(operation, {
          id: "unused",
          source: "person",
          interactive: true,
        });
        return rig.acceptor.inputOf({ payload: JSON.stringify(draft.payload) });
      }),
    );
    const fresh = await rig.enqueue(...again);
    await rig.flush();
    assert.equal(new Set([...ids, ...fresh]).size, 120);
    assert.deepEqual(await statuses(fresh), { succeeded: 20 });
    assert.deepEqual(rig.simulator.batches.at(-1)?.customIds, fresh);
  });

  it("says what an answer is that is not what was hoped for", async () => {
    rig = await Rig.start();
    const reasons = ["max_tokens", "refusal", "pause_turn", "model_context_window_exceeded", "end_turn"];
    for (const reason of reasons)
      rig.simulator.setOutcome({ prompt: `<${reason}>`, outcome: outcomes.stopped(reason) });
    const ids = await rig.enqueue(...reasons.map((reason) => ask(`<${reason}>`)));
    await rig.flush();
    const all = await rig.results(ids);
    assert.deepEqual(
      all.map((result) => [result?.status, result?.reason]),
      [
        ["succeeded", "cut"],
        ["succeeded", "refused"],
        ["succeeded", "unfinished"],
        ["succeeded", "cut"],
        ["succeeded", undefined],
      ],
    );
    assert.deepEqual(
      all.map((result) => (result?.message as { stop_reason?: string } | undefined)?.stop_reason),
      reasons,
    );
  });
});

describe("Following a batch", function () {
  this.timeout(30_000);
  let rig: Rig;
  afterEach(() => rig.close());

  it("takes a 404 soon after the creation, and one on the results, for a passing one", async () => {
    rig = await Rig.start();
    rig.simulator.misbehave({
      match: { method: "GET", path: "/v1/messages/batches/*", nth: 1 },
      do: anthropicFaults.notFound(),
    });
    rig.simulator.misbehave({ match: results, do: anthropicFaults.notFound() });
    const ids = await rig.enqueue(...many(2));
    await rig.flush();
    assert.ok((await rig.results(ids)).every((result) => result?.status === "succeeded"));
    assert.equal(rig.count(CREATE), 1);
  });

  it("goes on where the last window stopped, fetches results once and counts them once", async () => {
    rig = await Rig.start({ autoEndMs: null });
    const ids = await rig.enqueue(...many(3));
    const first = rig.flush();
    await until(() => rig.calls.some((call) => /^GET .*msgbatch/u.test(call)));
    rig.shutdown();
    await first;
    assert.deepEqual(rig.turns.at(-1), { kind: "stopped" });
    await rig.simulator.endAll();
    rig.clock.jump(2 * 3_600_000);
    await rig.execute();
    assert.ok((await rig.results(ids)).every((result) => result?.status === "succeeded"));
    assert.equal(rig.calls.filter((call) => call.endsWith("/results")).length, 1);
    assert.equal(rig.count(CREATE), 1);
    const { stats } = (await rig.journal.state()).llm;
    assert.deepEqual([stats.apiCalls, stats.totalRequests], [1, 3]);
  });

  it("keeps the results that came before it was cancelled", async () => {
    rig = await Rig.start({ autoEndMs: null });
    const ids = await rig.enqueue(...many(4));
    const flushed = rig.flush();
    await until(() => rig.calls.some((call) => /^GET .*msgbatch/u.test(call)));
    const operation = await rig.journal.operation(ids[0] ?? "");
    await rig.journal.requestCancel(operation?.batch ?? "");
    await until(() => rig.calls.some((call) => call.endsWith("/cancel")));
    await rig.simulator.endAll();
    await flushed;
    const statuses = (await rig.results(ids)).map((result) => result?.status).sort();
    assert.deepEqual(statuses, ["cancelled", "cancelled", "succeeded", "succeeded"]);
    assert.equal((await rig.journal.batch(operation?.batch ?? ""))?.status, "completed");
  });

  it("says that nothing is counted before the end instead of showing none done", async () => {
    rig = await Rig.start({ autoEndMs: null });
    await rig.enqueue(...many(2));
    const flushed = rig.flush();
    await until(async () => (await rig.journal.executing("llm:anthropic"))[0]?.detail !== undefined);
    const detail = (await rig.journal.executing("llm:anthropic"))[0]?.detail as Record<string, unknown>;
    assert.match(String(detail["progress"]), /counts nothing before the end/u);
    assert.equal(detail["finished"], undefined);
    assert.ok(Date.parse(String(detail["expiresAt"])) > Date.parse(String(detail["createdAt"])));
    await rig.simulator.endAll();
    await flushed;
  });

  it("says that a batch belongs to another workspace, and leaves it alone", async () => {
    rig = await Rig.start({ autoEndMs: null, keys: { "key-of-a-test": "one", other: "two" } });
    const ids = await rig.enqueue(...many(2));
    const flushed = rig.flush();
    await until(() => rig.calls.some((call) => /^GET .*msgbatch/u.test(call)));
    rig.key = "other";
    rig.clock.jump(3_600_000);
    await until(async () =>
      JSON.stringify((await rig.journal.executing("llm:anthropic"))[0]?.detail ?? "").includes("not-visible"),
    );
    assert.equal(rig.count(CREATE), 1);
    assert.ok(!rig.calls.some((call) => call.startsWith("DELETE")));
    rig.key = "key-of-a-test";
    await rig.simulator.endAll();
    await flushed;
    assert.ok((await rig.results(ids)).every((result) => result?.status === "succeeded"));
  });

  it("asks at once when the machine wakes, and waits no longer for a clock that was set back", async () => {
    // A timer of a day would outlast this test.
    rig = await Rig.start({ autoEndMs: null, settings: { pollInterval: 86_400 } });
    const ids = await rig.enqueue(...many(1));
    const flushed = rig.flush();
    await until(() => rig.simulator.batches.length === 1);
    await rig.simulator.endAll();
    rig.clock.jump(1_000_000_000);
    await flushed;
    assert.equal((await rig.results(ids))[0]?.status, "succeeded");
    rig.settings = { ...rig.settings, pollInterval: 20 };
    const more = await rig.enqueue(...many(1));
    const again = rig.flush();
    await until(() => rig.simulator.batches.length === 2);
    rig.clock.jump(-3 * 3_600_000);
    await rig.simulator.endAll();
    await again;
    assert.equal((await rig.results(more))[0]?.status, "succeeded");
  });

  it("warns from the 25th day on of the day when results that cannot be fetched are deleted", async () => {
    rig = await Rig.start({ autoEndMs: null });
    await rig.enqueue(...many(1));
    const flushed = rig.flush();
    const detail = async (): Promise<{ createdAt?: string; warning?: string }> =>
      (await rig.journal.executing("llm:anthropic"))[0]?.detail ?? {};
    await until(async () => (await detail()).createdAt !== undefined);
    const created = Date.parse((await detail()).createdAt ?? "");
    rig.simulator.misbehave({ match: { method: "GET" }, times: 100_000, do: anthropicFaults.overloaded() });
    rig.clock.jump(24 * 86_400_000);
    const polls = rig.calls.length;
    await until(() => rig.calls.length > polls + 2);
    assert.equal((await detail()).warning, undefined);
    rig.clock.jump(86_400_000);
    await until(async () => (await detail()).warning !== undefined);
    const deleted = new Date(created + 29 * 86_400_000).toISOString();
    assert.equal((await detail()).warning, `The provider deletes the results on ${deleted}.`);
    rig.simulator.reset();
    await rig.simulator.endAll();
    await flushed;
  });

  it("asks as often as the settings say, at once when they change", async () => {
    rig = await Rig.start({ autoEndMs: null });
    const ids = await rig.enqueue(...many(1));
    const flushed = rig.flush();
    const polls = (): number => rig.calls.filter((call) => call.startsWith("GET")).length;
    await until(() => polls() > 0);
    rig.settings = { ...rig.settings, pollInterval: 10_000_000 };
    let before: number;
    do {
      before = polls();
      // Longer than the interval was.
      await new Promise((resolve) => setTimeout(resolve, 100));
    } while (polls() > before);
    await rig.simulator.endAll();
    rig.settings = { ...rig.settings, pollInterval: 20 };
    await flushed;
    assert.equal((await rig.results(ids))[0]?.status, "succeeded");
  });

  it("tells of a batch whose provider cannot be reached, until it answers again", async () => {
    rig = await Rig.start({ autoEndMs: null });
    const ids = await rig.enqueue(...many(1));
    const flushed = rig.flush();
    const shown = async () => (await rig.journal.state()).llm.executing[0];
    await until(() => rig.simulator.batches.length === 1);
    rig.simulator.misbehave({ match: { method: "GET" }, do: { kind: "drop", acted: false } });
    const polls = (): number => rig.calls.filter((call) => call.startsWith("GET")).length;
    await until(() => polls() > 2);
    assert.equal((await shown())?.error, undefined, "one question that is lost is nothing");
    rig.simulator.misbehave({
      match: { method: "GET" },
      times: 100_000,
      do: { kind: "drop", acted: false },
    });
    await until(async () => (await shown())?.error !== undefined);
    assert.match((await shown())?.error ?? "", /^no-connection: /u);
    assert.ok((await shown())?.remoteId, "what is known of it stays");
    rig.simulator.reset();
    await until(async () => (await shown())?.error === undefined);
    await rig.simulator.endAll();
    await flushed;
    assert.equal((await rig.results(ids))[0]?.status, "succeeded");
  });

  it("says that results are gone after 29 days, and keeps the prompts", async () => {
    rig = await Rig.start({ autoEndMs: null });
    const ids = await rig.enqueue(...many(2));
    const first = rig.flush();
    await until(() => rig.calls.some((call) => /^GET .*msgbatch/u.test(call)));
    rig.shutdown();
    await first;
    await rig.simulator.endAll();
    await rig.simulator.advance(30 * 86_400_000);
    rig.clock.jump(30 * 86_400_000);
    await rig.execute();
    const [result] = await rig.results(ids);
    assert.deepEqual([result?.status, result?.reason], ["failed", "results-gone"]);
    const operation = await rig.journal.operation(ids[0] ?? "");
    assert.equal(rig.acceptor.inputOf({ payload: operation?.payload ?? "" }).prompt, "Number 0");
  });
});
