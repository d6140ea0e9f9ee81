import assert from "node:assert/strict";
import OpenAI from "openai";
import { withSimulator } from "./helpers.ts";
import { createBatch, line, readLines, runBatch, upload } from "./openai-helpers.ts";

const day = 86_400_000;
const ten = Array.from({ length: 10 }, (_, index) => line(`r${index}`, `prompt ${index}`));

describe("simulator: OpenAI batches", () => {
  it("goes through its stages with moving counts and gives an output file", () =>
    withSimulator({}, async ({ simulator, openai }) => {
      const file = await upload(openai, ten);
      const metadata = { mark: "abc" };
      const create = {
        input_file_id: file.id,
        endpoint: "/v1/responses",
        completion_window: "24h",
        metadata,
      } as const;
      const created = await openai.batches.create(create);
      assert.equal(created.status, "validating");
      const seen: unknown[] = [];
      for (const _ of [1, 2, 3, 4]) {
        await simulator.stepBatch(created.id);
        const { status, request_counts: counts } = await openai.batches.retrieve(created.id);
        seen.push([status, counts?.completed, counts?.total]);
      }
      assert.deepEqual(seen, [
        ["in_progress", 0, 10],
        ["in_progress", 5, 10],
        ["finalizing", 10, 10],
        ["completed", 10, 10],
      ]);
      const batch = await openai.batches.retrieve(created.id);
      assert.deepEqual(batch.metadata, metadata);
      assert.equal(batch.error_file_id, undefined);
      const lines = await readLines(openai, batch.output_file_id);
      assert.equal(lines.size, 10);
      let tokens = 0;
      for (const [id, one] of lines) {
        assert.equal(one.response?.status_code, 200);
        const body = one.response.body as unknown as OpenAI.Responses.Response;
        const part = body.output[0];
        assert(part?.type === "message" && part.content[0]?.type === "output_text");
        assert.equal(part.content[0].text, `Answer to: prompt ${id.slice(1)}`);
        tokens += body.usage?.total_tokens ?? 0;
      }
      assert.equal(batch.usage?.total_tokens, tokens);
      const text = await (await openai.files.content(file.id)).text();
      assert.deepEqual(
        text
          .trimEnd()
          .split("\n")
          .map((one) => JSON.parse(one) as unknown),
        ten,
      );
    }));

  it("completes by itself", () =>
    withSimulator({ autoEndMs: 8 }, async ({ openai }) => {
      const { id } = await createBatch(openai, ten);
      while ((await openai.batches.retrieve(id)).status !== "completed");
    }));

  it("gives errors in both shapes in the error file, and no output file when all failed", () =>
    withSimulator({}, async (running) => {
      const { simulator, openai } = running;
      const broken = { kind: "errored", type: "server_error", message: "Sorry", status: 500 } as const;
      simulator.setOutcome({ customId: "broken", outcome: broken });
      simulator.setOutcome({ customId: "bare", outcome: { ...broken, shape: "error" } });
      const all = [
        line("bad", "x", { max_output_tokens: 1 }),
        line("odd", "x", { foo: 1 }),
        line("broken", "x"),
        line("bare", "x"),
      ];
      const batch = await runBatch(running, all);
      assert.deepEqual(batch.request_counts, { total: 4, completed: 0, failed: 4 });
      assert.equal(batch.status, "completed");
      assert.equal(batch.output_file_id, undefined);
      const lines = await readLines(openai, batch.error_file_id);
      const codes = [...lines].map(([id, one]) => [id, one.response?.status_code, one.error?.code]);
      assert.deepEqual(codes.sort(), [
        ["bad", 400, undefined],
        ["bare", undefined, "server_error"],
        ["broken", 500, undefined],
        ["odd", 400, undefined],
      ]);
      const odd = lines.get("odd")?.response?.body["error"] as { code: string; param: string };
      assert.deepEqual([odd.code, odd.param], ["unknown_parameter", "foo"]);
    }));

  it("fails in validation with the line that is wrong", () =>
    withSimulator({}, async (running) => {
      const other = { ...line("c", "x"), url: "/v1/chat/completions" };
      const all = [
        line("a", "x"),
        "{oops",
        line("a", "x"),
        line("b", "x", { model: "gpt-5" }),
        other,
        line("d", "x", { model: "none" }),
      ];
      const batch = await runBatch(running, all);
      assert.equal(batch.status, "failed");
      assert.deepEqual(
        batch.errors?.data?.map((error) => [error.line, error.code]),
        [
          [2, "invalid_json_line"],
          [3, "duplicate_custom_id"],
          [4, "mismatched_model"],
          [5, "invalid_url"],
          [6, "model_not_found"],
        ],
      );
    }));

  it("fails over the limit of enqueued tokens until other batches have ended", () =>
    withSimulator({ enqueuedTokenLimit: 120 }, async ({ simulator, openai }) => {
      const first = await createBatch(openai, ten);
      await simulator.stepBatch(first.id);
      const second = await createBatch(openai, ten);
      await simulator.stepBatch(second.id);
      const failed = await openai.batches.retrieve(second.id);
      assert.equal(failed.status, "failed");
      assert.equal(failed.errors?.data?.[0]?.code, "token_limit_exceeded");
      await simulator.endBatch(first.id);
      const third = await createBatch(openai, ten);
      await simulator.endBatch(third.id);
      assert.equal((await openai.batches.retrieve(third.id)).status, "completed");
    }));

  it("keeps partial results when cancelled and when expired", () =>
    withSimulator({}, async ({ simulator, openai }) => {
      for (const [status, code] of [
        ["cancelled", "batch_cancelled"],
        ["expired", "batch_expired"],
      ] as const) {
        const { id } = await createBatch(openai, ten);
        await simulator.stepBatch(id);
        if (status === "expired") await simulator.advance(day);
        else {
          assert.equal((await openai.batches.cancel(id)).status, "cancelling");
          await simulator.endBatch(id);
        }
        const batch = await openai.batches.retrieve(id);
        assert.equal(batch.status, status);
        assert.deepEqual(batch.request_counts, { total: 10, completed: 5, failed: 5 });
        assert.equal((await readLines(openai, batch.output_file_id)).size, 5);
        const errors = [...(await readLines(openai, batch.error_file_id)).values()];
        assert.deepEqual(
          errors.map((one) => one.error?.code),
          Array.from({ length: 5 }, () => code),
        );
        await assert.rejects(openai.batches.cancel(id), OpenAI.ConflictError);
      }
    }));

  it("refuses a wrong creation", () =>
    withSimulator({ keys: { b: "other" } }, async ({ simulator, openai }) => {
      const { id: input_file_id } = await upload(openai, ten);
      const good = { input_file_id, endpoint: "/v1/responses", completion_window: "24h" } as const;
      const refused = (other: object): Promise<void> =>
        assert.rejects(openai.batches.create({ ...good, ...other }), OpenAI.BadRequestError);
      await refused({ input_file_id: "file-none" });
      await refused({ endpoint: "/v1/nothing" });
      await refused({ completion_window: "1h" });
      await refused({ metadata: { long: "x".repeat(513) } });
      await refused({ output_expires_after: { anchor: "created_at", seconds: 60 } });
      const foreign = new OpenAI({ apiKey: "b", baseURL: `${simulator.url}/v1`, maxRetries: 0 });
      await assert.rejects(foreign.batches.create(good), OpenAI.BadRequestError);
      const { id } = await openai.batches.create(good);
      await assert.rejects(foreign.batches.retrieve(id), OpenAI.NotFoundError);
    }));

  it("lists batches and files in pages, and deletes files", () =>
    withSimulator({}, async ({ openai }) => {
      const ids: string[] = [];
      for (const _ of [1, 2, 3]) ids.unshift((await createBatch(openai, ten)).id);
      const listed: string[] = [];
      for await (const batch of openai.batches.list({ limit: 2 })) listed.push(batch.id);
      assert.deepEqual(listed, ids);
      const files: string[] = [];
      for await (const file of openai.files.list({ limit: 2, purpose: "batch" })) files.push(file.id);
      assert.equal(files.length, 3);
      await openai.files.delete(files[0]!);
      await assert.rejects(openai.files.content(files[0]!), OpenAI.NotFoundError);
    }));

  it("refuses files that are no .jsonl or too large", () =>
    withSimulator({ maxBatchBytes: 500 }, async ({ openai }) => {
      const text = new File(["x"], "input.txt");
      await assert.rejects(openai.files.create({ purpose: "batch", file: text }), /jsonl/);
      const long = new File(["x".repeat(501)], "input.jsonl");
      await assert.rejects(openai.files.create({ purpose: "batch", file: long }), /too large/);
    }));
});
