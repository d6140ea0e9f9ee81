import assert from "node:assert/strict";
import { connectionFailure } from "../../../src/llm/providers/failure.ts";
import { anthropicFaults } from "../../support/simulator/index.ts";
import { Rig, ask, until } from "./support/rig.ts";

const CREATE = "POST /v1/messages/batches";
const create = { method: "POST", path: "/v1/messages/batches" };
const list = { method: "GET", path: "/v1/messages/batches" };

describe("Creating a batch whose answer is lost", function () {
  this.timeout(30_000);
  let rig: Rig;
  afterEach(() => rig.close());

  for (const kind of ["drop", "hang"] as const) {
    it(`adopts the batch that the provider made when the connection ${kind === "drop" ? "broke" : "hung until this window was gone"}`, async () => {
      rig = await Rig.start();
      rig.simulator.misbehave({ match: create, do: { kind, acted: true } });
      const ids = await rig.enqueue(ask("One?"), ask("Two?"));
      const flushed = rig.flush();
      if (kind === "hang") {
        // The host is killed between POST and answer: nobody ever hears of it, and the next window goes on.
        await until(() => rig.simulator.batches.length === 1);
        rig.shutdown();
        await rig.execute();
      } else await flushed;
      assert.equal(rig.count(CREATE), 1);
      assert.equal(rig.simulator.batches.length, 1);
      assert.deepEqual(
        (await rig.results(ids)).map((result) => result?.status),
        ["succeeded", "succeeded"],
      );
      const { executed, stats } = (await rig.journal.state()).llm;
      assert.equal(executed[0]?.remoteId, rig.simulator.batches[0]?.id);
      assert.equal(stats.apiCalls, 1);
    });
  }

  it("shows that it is finding out, and does not take another tool's batch for its own", async () => {
    rig = await Rig.start();
    await foreignBatch(rig, ["a", "b", "c"]);
    rig.simulator.misbehave({ match: create, do: { kind: "drop", acted: true } });
    rig.simulator.misbehave({ match: { ...list, nth: 2 }, times: 1, do: anthropicFaults.overloaded() });
    const [id = ""] = await rig.enqueue(ask("One?"), ask("Two?"));
    const flushed = rig.flush();
    await until(async () => isChecking((await rig.journal.operation(id))?.detail));
    await foreignBatch(rig, ["a", "b", "c"]);
    await flushed;
    assert.equal(rig.count(CREATE), 3, "two of the other tool, one of ours");
    assert.equal((await rig.journal.result(id))?.status, "succeeded");
    assert.equal(isChecking((await rig.journal.operation(id))?.detail), false);
  });

  it("creates again only after the provider did not list it for the time of the setting", async () => {
    rig = await Rig.start({ settings: { unknownOutcomeWait: 60 } });
    rig.simulator.misbehave({ match: create, do: { kind: "drop", acted: false } });
    const [id = ""] = await rig.enqueue(ask("One?"));
    await rig.flush();
    assert.equal(rig.count(CREATE), 2);
    assert.ok(
      rig.calls.filter((call) => call === "GET /v1/messages/batches").length > 3,
      "asked again and again between",
    );
    assert.equal((await rig.journal.result(id))?.status, "succeeded");
  });

  it("tells among several that fit by the ids in their results", async () => {
    rig = await Rig.start({ autoEndMs: 50 });
    // The other tool's batch comes between our look at the list and our creation, so that it fits as well and is older.
    rig.simulator.misbehave({
      match: create,
      do: [
        { kind: "delay", ms: 150 },
        { kind: "drop", acted: true },
      ],
    });
    const ids = await rig.enqueue(ask("One?"), ask("Two?"));
    const flushed = rig.flush();
    await until(() => rig.calls.includes(CREATE));
    await foreignBatch(rig, ["x", "y"]);
    await flushed;
    assert.equal(rig.simulator.batches.length, 2);
    assert.deepEqual(
      (await rig.results(ids)).map((result) => result?.status),
      ["succeeded", "succeeded"],
    );
    assert.equal(rig.count(CREATE), 2, "one of the other tool, one of ours");
  });

  it("cancels a duplicate that shows up late and counts what it cost", async () => {
    rig = await Rig.start({ settings: { unknownOutcomeWait: 30 }, autoEndMs: 700 });
    rig.simulator.misbehave({ match: create, do: { kind: "drop", acted: true } });
    rig.simulator.misbehave({ match: { ...list, nth: 2 }, do: { kind: "delay", ms: 100 } });
    const ids = await rig.enqueue(ask("One?"), ask("Two?"));
    const flushed = rig.flush();
    await until(() => rig.simulator.batches.length === 1);
    const [late] = rig.simulator.batches;
    assert.ok(late);
    rig.simulator.hide(late.id);
    await until(() => rig.simulator.batches.length === 2);
    rig.simulator.show(late.id);
    await flushed;
    assert.ok(rig.calls.includes(`POST /v1/messages/batches/${late.id}/cancel`));
    const results = await rig.results(ids);
    assert.deepEqual(
      results.map((result) => result?.status),
      ["succeeded", "succeeded"],
    );
    const batch = await rig.journal.batch((await rig.journal.operation(ids[0] ?? ""))?.batch ?? "");
    const { duplicates } = batch?.detail as { duplicates: readonly { remoteId: string; costUsd: number }[] };
    assert.equal(duplicates[0]?.remoteId, late.id);
    const extra = duplicates[0].costUsd;
    assert.ok(extra > 0);
    const { stats } = (await rig.journal.state()).llm;
    assert.equal(
      rounded(stats.costUsd),
      rounded(results.reduce((sum, result) => sum + (result?.costUsd ?? 0), extra)),
    );
    const ledger = JSON.parse((await rig.journal.recall("llm.budget")) ?? "{}") as { spent: string };
    assert.equal(rounded(Number(ledger.spent) / 1e12), rounded(stats.costUsd), "so much of the day's limit");
  });
});

describe("A late duplicate whose window ends before it was counted", function () {
  this.timeout(30_000);
  let rig: Rig;
  afterEach(() => rig.close());

  it("is counted once by whoever follows a batch of the same provider next", async () => {
    rig = await Rig.start({ settings: { unknownOutcomeWait: 30 }, autoEndMs: null });
    rig.simulator.misbehave({ match: create, do: { kind: "drop", acted: true } });
    rig.simulator.misbehave({ match: { ...list, nth: 2 }, do: { kind: "delay", ms: 100 } });
    const ids = await rig.enqueue(ask("One?"), ask("Two?"));
    const flushed = rig.flush();
    await until(() => rig.simulator.batches.length === 1);
    const late = rig.simulator.batches[0]?.id ?? "";
    rig.simulator.hide(late);
    await until(() => rig.simulator.batches.length === 2);
    const ours = rig.simulator.batches[1]?.id ?? "";
    // It neither ends nor can be cancelled while this window is there.
    const cancel = { method: "POST", path: `/v1/messages/batches/${late}/cancel` };
    rig.simulator.misbehave({ match: cancel, times: 100, do: anthropicFaults.serverError() });
    rig.simulator.show(late);
    await until(() => rig.calls.includes(`POST ${cancel.path}`));
    await rig.simulator.endBatch(ours);
    await until(async () => (await rig.results(ids)).every((result) => result !== undefined));
    rig.shutdown();
    await flushed;
    const paid = async () => (await rig.journal.state()).llm.stats.costUsd;
    const before = await paid();
    rig.simulator.reset();
    await rig.execute();
    assert.equal(await paid(), before, "nothing is followed, for all of ours is over");
    const costs = async (of: readonly string[]): Promise<number> =>
      (await rig.results(of)).reduce((sum, result) => sum + (result?.costUsd ?? 0), 0);
    const next = await rig.enqueue(ask("Three?"), ask("Four?", { type: "judge" }));
    const again = rig.flush();
    await until(() => rig.simulator.batches.length === 4);
    await rig.simulator.endAll();
    await until(async () => (await rig.journal.recall("llm.duplicates.anthropic")) === undefined);
    await again;
    assert.ok((await paid()) > before + (await costs(next)), "what the duplicate answered was paid as well");
    const after = await paid();
    const five = await rig.enqueue(ask("Five?"));
    const last = rig.flush();
    await until(() => rig.simulator.batches.length === 5);
    await rig.simulator.endAll();
    await last;
    assert.equal(rounded(await paid()), rounded(after + (await costs(five))), "and only once");
  });
});

describe("A batch that the provider does not take", function () {
  this.timeout(30_000);
  let rig: Rig;
  afterEach(() => rig.close());

  it("is tried again after the time that a rate limit names", async () => {
    rig = await Rig.start();
    rig.simulator.misbehave({ match: create, do: anthropicFaults.rateLimited(42) });
    const [id = ""] = await rig.enqueue(ask("One?"));
    await rig.flush();
    const again = rig.turns.find(({ kind }) => kind === "again");
    assert.ok(again?.kind === "again");
    assert.equal(again.afterMs, 42_000);
    assert.equal((await rig.journal.result(id))?.status, "succeeded");
  });

  it("is not created again after an overload before the provider was asked for it", async () => {
    rig = await Rig.start({ settings: { unknownOutcomeWait: 30 } });
    rig.simulator.misbehave({ match: create, do: anthropicFaults.overloaded() });
    const [id = ""] = await rig.enqueue(ask("One?"));
    await rig.flush();
    const second = rig.calls.lastIndexOf(CREATE);
    assert.equal(rig.count(CREATE), 2);
    assert.ok(rig.calls.slice(rig.calls.indexOf(CREATE), second).includes("GET /v1/messages/batches"));
    assert.equal((await rig.journal.result(id))?.status, "succeeded");
  });

  it("is sent in two halves when it is too large", async () => {
    rig = await Rig.start();
    rig.simulator.misbehave({ match: create, do: anthropicFaults.tooLarge() });
    const ids = await rig.enqueue(ask("One?"), ask("Two?"), ask("Three?"));
    await rig.flush();
    assert.deepEqual(
      rig.simulator.batches.map(({ customIds }) => customIds),
      [ids.slice(0, 2), ids.slice(2)],
    );
    assert.ok((await rig.results(ids)).every((result) => result?.status === "succeeded"));
    assert.equal(
      (await rig.journal.state()).llm.executed[0]?.remoteId,
      rig.simulator.batches.map(({ id }) => id).join(", "),
    );
  });

  it("fails with the provider's words when it is refused for good", async () => {
    rig = await Rig.start();
    const body = { type: "error", error: { type: "invalid_request_error", message: "requests: not today" } };
    rig.simulator.misbehave({ match: create, do: { kind: "reply", status: 400, body } });
    const [id = ""] = await rig.enqueue(ask("One?"));
    await rig.flush();
    const result = await rig.journal.result(id);
    assert.deepEqual(
      [result?.status, result?.reason, result?.error],
      ["failed", "invalid_request_error", "requests: not today"],
    );
    assert.equal(rig.count(CREATE), 1);
  });

  it("waits while nobody listens, and was not sent meanwhile", async () => {
    rig = await Rig.start();
    rig.settings = { ...rig.settings, anthropicBaseUrl: "http://127.0.0.1:1" };
    const [id = ""] = await rig.enqueue(ask("One?"));
    const flushed = rig.flush();
    await until(() => rig.turns.length > 1);
    rig.settings = { ...rig.settings, anthropicBaseUrl: rig.simulator.url };
    await flushed;
    assert.ok(rig.turns.some((turn) => turn.kind === "again" && turn.because.startsWith("no-connection")));
    assert.equal((await rig.journal.result(id))?.status, "succeeded");
    assert.equal(rig.count(CREATE), 1);
  });
});

describe("A request that got no answer", () => {
  it("was not sent where fetch does not ask that port, so nothing has to be found out", async () => {
    const error: unknown = await fetch("http://127.0.0.1:9/").catch((reason: unknown) => reason);
    const { kind, acted, message } = connectionFailure(error);
    assert.deepEqual([kind, acted, message], ["transient", "no", "fetch failed: bad port"]);
  });
});

describe("Trouble with the account", function () {
  this.timeout(30_000);
  let rig: Rig;
  afterEach(() => rig.close());

  const cases = [
    { what: "a key that is refused", fault: anthropicFaults.unauthorized(), reason: "key-refused" },
    {
      what: "an organisation on hold",
      fault: anthropicFaults.organizationOnHold(),
      reason: "organization-on-hold",
    },
    {
      what: "the monthly cap",
      fault: anthropicFaults.monthlyCap(),
      reason: "spend-limit",
      until: "2026-12-01T00:00:00.000Z",
    },
    {
      what: "the customer's own limit",
      fault: anthropicFaults.ownSpendLimit("2026-12-24"),
      reason: "spend-limit",
      until: "2026-12-24T00:00:00.000Z",
    },
  ];
  for (const { what, fault, reason, until: date } of cases) {
    it(`is one hold with its reason for ${what}, and the requests stay in the queue untouched`, async () => {
      rig = await Rig.start({ now: "2026-11-29T12:00:00Z" });
      rig.simulator.misbehave({ match: create, do: fault });
      await rig.enqueue(ask("One?"), ask("Two?"));
      await rig.flush();
      const { holds, llm } = await rig.journal.state();
      assert.deepEqual(holds, [
        { kind: "llm", reason, lane: "llm:anthropic", ...(date === undefined ? {} : { until: date }) },
      ]);
      assert.equal(llm.queuedCount, 2);
      assert.equal(rig.count(CREATE), 1);
      await rig.flush();
      assert.equal(
        (await rig.journal.state()).llm.stats.totalRequests,
        2,
        "what waited is sent once it is mended",
      );
    });
  }

  it("asks for the key where there is none, without a call", async () => {
    rig = await Rig.start();
    rig.key = undefined;
    await rig.enqueue(ask("One?"));
    await rig.flush();
    assert.deepEqual((await rig.journal.state()).holds, [
      { kind: "llm", reason: "no-key", lane: "llm:anthropic" },
    ]);
    assert.deepEqual(rig.calls, []);
  });

  it("is told once when every request of a batch met it, and all can be sent again", async () => {
    rig = await Rig.start();
    const message = "Your credit balance is too low to access the Anthropic API.";
    rig.simulator.setOutcome({
      customId: /./u,
      outcome: { kind: "errored", type: "invalid_request_error", message },
    });
    const ids = await rig.enqueue(...Array.from({ length: 1000 }, (_, n) => ask(`Number ${n}`)));
    await rig.flush();
    const { holds, llm } = await rig.journal.state();
    assert.deepEqual(holds, [{ kind: "llm", reason: "credit", lane: "llm:anthropic" }]);
    assert.equal(llm.queuedCount, 1000);
    assert.equal(llm.stats.failed, 0);
    rig.simulator.reset();
    await rig.flush();
    assert.ok((await rig.results(ids)).every((result) => result?.status === "succeeded"));
  });
});

const isChecking = (detail: unknown): boolean =>
  typeof detail === "object" && detail !== null && "checking" in detail;

/** Rounded to a billionth of a dollar, so that sums of parts can be compared. */
const rounded = (usd: number): string => usd.toFixed(9);

/** Somebody else creates a batch with the same key. */
async function foreignBatch(rig: Rig, ids: readonly string[]): Promise<void> {
  const params = {
    model: "claude-sonnet-5-5",
    max_tokens: 9,
    messages: [{ role: "user", content: "Other?" }],
  };
  await fetch(`${rig.simulator.url}/v1/messages/batches`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${rig.key}`,
      "content-type": "application/json",
      "anthropic-version": "2026-10-21",
    },
    body: JSON.stringify({ requests: ids.map((id) => ({ custom_id: id, params })) }),
  });
}
