import assert from "node:assert/strict";
import Anthropic from "@anthropic-ai/sdk";
import { anthropicFaults } from "../../support/simulator/index.ts";
import type { Fault, Match } from "../../support/simulator/index.ts";
import { anthropicClient, items, params, withSimulator } from "./helpers.ts";

const create: Match = { method: "POST", path: "/v1/messages/batches" };

describe("simulator: faults of a request", () => {
  it("replies with an error in place of acting, so often as asked", () =>
    withSimulator({}, async ({ simulator, anthropic }) => {
      const creating = (): Promise<unknown> => anthropic.messages.batches.create({ requests: items(1) });
      simulator.misbehave({ match: create, do: anthropicFaults.rateLimited(42) });
      simulator.misbehave({ match: create, do: anthropicFaults.monthlyCap() });
      simulator.misbehave({ match: create, do: anthropicFaults.ownSpendLimit("2026-12-01") });
      await assert.rejects(creating(), (error) => {
        assert(error instanceof Anthropic.RateLimitError);
        assert.equal(error.headers.get("retry-after"), "42");
        return true;
      });
      await assert.rejects(creating(), (error) => {
        assert(error instanceof Anthropic.RateLimitError);
        assert.equal(error.errorCode, "enforced_spend_limit_reached");
        assert.equal(error.headers.get("retry-after"), null);
        return true;
      });
      await assert.rejects(creating(), /regain access on 2026-12-01/);
      assert.equal(simulator.batches.length, 0);
      await creating();
      assert.equal(simulator.batches.length, 1);
      assert.deepEqual(
        simulator.requests.map((request) => request.status),
        [429, 429, 400, 200],
      );
    }));

  it("drops the connection before or after acting", () =>
    withSimulator({}, async ({ simulator, anthropic }) => {
      for (const acted of [false, true]) {
        simulator.misbehave({ match: create, do: { kind: "drop", acted } });
        await assert.rejects(
          anthropic.messages.batches.create({ requests: items(1) }),
          Anthropic.APIConnectionError,
        );
        assert.equal(simulator.batches.length, acted ? 1 : 0);
      }
    }));

  it("shows how a retry after a lost reply makes two batches", () =>
    withSimulator({}, async ({ simulator }) => {
      simulator.misbehave({ match: create, do: { kind: "drop", acted: true } });
      await anthropicClient(simulator, "k", 1).messages.batches.create({ requests: items(1) });
      assert.equal(simulator.batches.length, 2);
    }));

  it("acts and answers with an error all the same", () =>
    withSimulator({}, async ({ simulator, anthropic }) => {
      simulator.misbehave({ match: create, do: { ...anthropicFaults.serverError(), acted: true } });
      await assert.rejects(
        anthropic.messages.batches.create({ requests: items(1) }),
        Anthropic.InternalServerError,
      );
      assert.equal(simulator.batches.length, 1);
    }));

  it("counts the nth request and matches by pattern", () =>
    withSimulator({}, async ({ simulator, anthropic }) => {
      const { id } = await anthropic.messages.batches.create({ requests: items(1) });
      const match = { method: "GET", path: /batches\/msgbatch_\w+$/, nth: 2 };
      simulator.misbehave({ match, do: anthropicFaults.notFound() });
      await anthropic.messages.batches.retrieve(id);
      await assert.rejects(anthropic.messages.batches.retrieve(id), Anthropic.NotFoundError);
      await anthropic.messages.batches.retrieve(id);
    }));

  it("hangs until the client gives up, and delays", () =>
    withSimulator({}, async ({ simulator, anthropic }) => {
      simulator.misbehave({ match: create, do: { kind: "hang", acted: false } });
      const hanging = anthropic.messages.batches.create({ requests: items(1) }, { timeout: 50 });
      await assert.rejects(hanging, Anthropic.APIConnectionTimeoutError);
      const slow: Fault[] = [{ kind: "delay", ms: 10 }, anthropicFaults.overloaded()];
      simulator.misbehave({ match: create, do: slow });
      await assert.rejects(
        anthropic.messages.batches.create({ requests: items(1) }),
        (error) => error instanceof Anthropic.APIError && error.status === 529,
      );
    }));

  it("redirects to another host", () =>
    withSimulator({}, async ({ simulator }) => {
      await withSimulator({}, async ({ simulator: other }) => {
        simulator.misbehave({
          match: { method: "GET" },
          do: { kind: "redirect", to: `${other.url}/v1/elsewhere` },
        });
        await fetch(`${simulator.url}/v1/messages/batches`, {
          headers: { "anthropic-version": "2023-06-01" },
        });
        assert.equal(other.requests[0]?.path, "/v1/elsewhere");
      });
    }));

  it("hides a batch from the list", () =>
    withSimulator({}, async ({ simulator, anthropic }) => {
      const { id } = await anthropic.messages.batches.create({ requests: items(1) });
      simulator.hide(id);
      assert.equal((await anthropic.messages.batches.list()).data.length, 0);
      simulator.show(id);
      assert.equal((await anthropic.messages.batches.list()).data.length, 1);
    }));

  it("hides a batch from its creation on, with the reply lost", () =>
    withSimulator({}, async ({ simulator, anthropic }) => {
      simulator.misbehave({ match: create, do: [{ kind: "hide" }, { kind: "drop", acted: true }] });
      await assert.rejects(anthropic.messages.batches.create({ requests: items(1) }));
      assert.equal(simulator.batches.length, 1);
      assert.equal((await anthropic.messages.batches.list()).data.length, 0);
      simulator.show(simulator.batches[0]!.id);
      assert.equal((await anthropic.messages.batches.list()).data.length, 1);
    }));

  it("logs headers and bodies, and takes orders from another process", () =>
    withSimulator({}, async ({ simulator, anthropic }) => {
      const order = async (body: unknown): Promise<Response> =>
        fetch(`${simulator.url}/__control`, { method: "POST", body: JSON.stringify(body) });
      const rule = { match: { path: { regexp: "messages$" } }, do: anthropicFaults.overloaded() };
      await order({ action: "misbehave", rule });
      await assert.rejects(anthropic.messages.create(params("x")), /Overloaded/);
      const { id } = await anthropic.messages.batches.create({ requests: items(2) });
      await order({ action: "endBatch", id });
      assert.equal((await anthropic.messages.batches.retrieve(id)).processing_status, "ended");
      assert.equal((await order({ action: "dance" })).status, 400);
      const state = (await (await order({ action: "state" })).json()) as {
        batches: { customIds: string[] }[];
      };
      assert.deepEqual(state.batches[0]?.customIds, ["item-0", "item-1"]);

      assert.deepEqual(
        simulator.requests.map((request) => request.path.split("/").length),
        [3, 4, 5],
      );
      const sent = simulator.requests[1];
      assert.equal(sent?.headers["anthropic-version"], "2026-10-21");
      assert.deepEqual(sent.body, { requests: items(2) });
      assert.deepEqual(await simulator.batches[0]?.params("item-1"), params("prompt 1"));
    }));
});
