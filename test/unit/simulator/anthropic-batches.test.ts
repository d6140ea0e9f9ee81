import assert from "node:assert/strict";
import Anthropic from "@anthropic-ai/sdk";
import { anthropicClient, items, params, resultsOf, textOf, withSimulator } from "./helpers.ts";

const hour = 3_600_000;

describe("simulator: Anthropic batches", () => {
  it("takes a batch, keeps all counts in processing until its end, then gives a result for every id", () =>
    withSimulator({}, async ({ simulator, anthropic }) => {
      const created = await anthropic.messages.batches.create({ requests: items(5) });
      assert.equal(created.processing_status, "in_progress");
      assert.deepEqual(created.request_counts, {
        processing: 5,
        succeeded: 0,
        errored: 0,
        canceled: 0,
        expired: 0,
      });
      assert.equal(created.results_url, null);
      await assert.rejects(anthropic.messages.batches.results(created.id), /results/);

      await simulator.endBatch(created.id);
      const ended = await anthropic.messages.batches.retrieve(created.id);
      assert.equal(ended.processing_status, "ended");
      assert.deepEqual(ended.request_counts, {
        processing: 0,
        succeeded: 5,
        errored: 0,
        canceled: 0,
        expired: 0,
      });

      const results = await resultsOf(anthropic, created.id);
      assert.deepEqual([...results.keys()].sort(), ["item-0", "item-1", "item-2", "item-3", "item-4"]);
      for (const [id, result] of results) {
        assert(result.type === "succeeded");
        assert.match(textOf(result.message), new RegExp(`prompt ${id.slice(5)}$`));
        assert.equal(result.message.usage.service_tier, "batch");
        assert(result.message.usage.input_tokens > 0 && result.message.usage.output_tokens > 0);
      }
    }));

  it("ends a batch by itself after the set time", () =>
    withSimulator({ autoEndMs: 5 }, async ({ anthropic }) => {
      const { id } = await anthropic.messages.batches.create({ requests: items(1) });
      while ((await anthropic.messages.batches.retrieve(id)).processing_status !== "ended");
      assert.equal((await resultsOf(anthropic, id)).size, 1);
    }));

  it("orders the result lines differently from the submitted order, the same way every time", async () => {
    const orders: string[] = [];
    for (const _ of [1, 2]) {
      await withSimulator({}, async ({ simulator, anthropic }) => {
        const { id } = await anthropic.messages.batches.create({ requests: items(600) });
        await simulator.endBatch(id);
        orders.push([...(await resultsOf(anthropic, id)).keys()].join());
      });
    }
    assert.equal(orders[0], orders[1]);
    assert.notEqual(
      orders[0],
      items(600)
        .map((item) => item.custom_id)
        .join(),
    );
    assert.equal(new Set(orders[0]?.split(",")).size, 600);
  });

  it("refuses a wrong envelope at once, in the words of the API", () =>
    withSimulator({}, async ({ simulator, anthropic }) => {
      const refused = async (requests: unknown[], message: RegExp): Promise<void> => {
        const creating = anthropic.messages.batches.create({ requests } as never);
        await assert.rejects(creating, (error) => {
          assert(error instanceof Anthropic.BadRequestError);
          assert.equal(error.type, "invalid_request_error");
          assert.match(error.apiMessage ?? "", message);
          return true;
        });
      };
      const item = (custom_id: unknown): unknown => ({ custom_id, params: params("x") });
      await refused(
        [item("a".repeat(65))],
        /^requests\.0\.custom_id: String should have at most 64 characters$/,
      );
      await refused([item("")], /^requests\.0\.custom_id: String should have at least 1 character$/);
      await refused([item("a"), item("b c")], /^requests\.1\.custom_id: String should match pattern/);
      await refused([item("a"), item("a")], /^requests\.1\.custom_id: .*unique/);
      await refused([{ params: params("x") }], /^requests\.0\.custom_id: Field required$/);
      await refused([{ custom_id: "a" }], /^requests\.0\.params: Field required$/);
      await refused([{ custom_id: "a", params: params("x"), extra: 1 }], /^requests\.0\.extra: Extra inputs/);
      await refused([], /at least 1 item/);
      assert.equal(simulator.batches.length, 0);
    }));

  it("refuses a body over the limit with 413 and a full queue with 429", () =>
    withSimulator({ maxBatchBytes: 2000, queueLimit: 3 }, async ({ simulator, anthropic }) => {
      const big = [{ custom_id: "big", params: params("x".repeat(2000)) }];
      await assert.rejects(
        anthropic.messages.batches.create({ requests: big }),
        Anthropic.ContentTooLargeError,
      );
      await anthropic.messages.batches.create({ requests: items(2) });
      await assert.rejects(
        anthropic.messages.batches.create({ requests: items(2) }),
        Anthropic.RateLimitError,
      );
      await simulator.endAll();
      await anthropic.messages.batches.create({ requests: items(2) });
      assert.equal(simulator.batches.length, 2);
    }));

  it("shows a batch only to the keys of its workspace, and asks for a key", () =>
    withSimulator({ keys: { b: "other" }, badKeys: ["bad"] }, async ({ simulator, anthropic }) => {
      const { id } = await anthropic.messages.batches.create({ requests: items(1) });
      const other = anthropicClient(simulator, "b");
      await assert.rejects(other.messages.batches.retrieve(id), Anthropic.NotFoundError);
      assert.equal((await other.messages.batches.list()).data.length, 0);
      const bad = anthropicClient(simulator, "bad");
      await assert.rejects(bad.messages.batches.list(), Anthropic.AuthenticationError);
      const bare = await fetch(`${simulator.url}/v1/messages/batches`);
      assert.equal(bare.status, 401);
      const headers = { "x-api-key": "k" };
      const unversioned = await fetch(`${simulator.url}/v1/messages/batches`, { headers });
      assert.equal(unversioned.status, 400);
      assert.match(await unversioned.text(), /anthropic-version: header is required/);
    }));

  it("lists newest first in pages, both ways", () =>
    withSimulator({}, async ({ anthropic }) => {
      const ids: string[] = [];
      for (const _ of [1, 2, 3])
        ids.unshift((await anthropic.messages.batches.create({ requests: items(1) })).id);
      const first = await anthropic.messages.batches.list({ limit: 2 });
      assert.deepEqual(
        [first.data.map((batch) => batch.id), first.has_more, first.first_id, first.last_id],
        [ids.slice(0, 2), true, ids[0], ids[1]],
      );
      const all: string[] = [];
      for await (const batch of anthropic.messages.batches.list({ limit: 2 })) all.push(batch.id);
      assert.deepEqual(all, ids);
      const before = await anthropic.messages.batches.list({ before_id: ids[2]! });
      assert.deepEqual(
        before.data.map((batch) => batch.id),
        ids.slice(0, 2),
      );
    }));

  it("cancels with partial results, and deletes only what has ended", () =>
    withSimulator({}, async ({ simulator, anthropic }) => {
      const { id } = await anthropic.messages.batches.create({ requests: items(4) });
      await assert.rejects(anthropic.messages.batches.delete(id), Anthropic.BadRequestError);
      assert.equal((await anthropic.messages.batches.cancel(id)).processing_status, "canceling");
      await simulator.endBatch(id);
      const ended = await anthropic.messages.batches.retrieve(id);
      assert.deepEqual(ended.request_counts, {
        processing: 0,
        succeeded: 2,
        errored: 0,
        canceled: 2,
        expired: 0,
      });
      const types = [...(await resultsOf(anthropic, id)).values()].map((result) => result.type);
      assert.deepEqual(types.sort(), ["canceled", "canceled", "succeeded", "succeeded"]);
      await assert.rejects(anthropic.messages.batches.cancel(id), Anthropic.BadRequestError);
      await anthropic.messages.batches.delete(id);
      await assert.rejects(anthropic.messages.batches.retrieve(id), Anthropic.NotFoundError);
    }));

  it("expires after a day and archives after 29", () =>
    withSimulator({}, async ({ simulator, anthropic }) => {
      const { id } = await anthropic.messages.batches.create({ requests: items(4) });
      await simulator.advance(24 * hour);
      const ended = await anthropic.messages.batches.retrieve(id);
      assert.deepEqual(ended.request_counts, {
        processing: 0,
        succeeded: 2,
        errored: 0,
        canceled: 0,
        expired: 2,
      });
      await simulator.advance(28 * 24 * hour);
      const archived = await anthropic.messages.batches.retrieve(id);
      assert.notEqual(archived.archived_at, null);
      assert.equal(archived.results_url, null);
    }));

  it("gives request ids and rate-limit headers, and enforces the rate", () =>
    withSimulator({ requestsPerMinute: 2 }, async ({ anthropic }) => {
      const { response, request_id } = await anthropic.messages.batches.list().withResponse();
      assert.match(request_id ?? "", /^req_/);
      assert.equal(response.headers.get("anthropic-ratelimit-requests-remaining"), "1");
      await anthropic.messages.batches.list();
      await assert.rejects(anthropic.messages.batches.list(), (error) => {
        assert(error instanceof Anthropic.RateLimitError);
        assert(Number(error.headers.get("retry-after")) > 0);
        return true;
      });
    }));
});
