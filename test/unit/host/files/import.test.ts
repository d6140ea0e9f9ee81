import assert from "node:assert/strict";
import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileCommands } from "../../../../src/host/commands/files.ts";
import type { FileQuestions } from "../../../../src/host/commands/files.ts";
import { Cancelled } from "../../../../src/host/commands/cancelled.ts";
import { importRequests } from "../../../../src/host/files/import.ts";
import { openRequestDesk } from "../../../support/host/request-desk.ts";
import type { RequestDesk } from "../../../support/host/request-desk.ts";

const MODEL = "claude-haiku-4-5";
const own = (prompt: string, more = {}) => JSON.stringify({ type: "judge", model: MODEL, prompt, ...more });
const messages = [{ role: "user", content: "Hi" }];
const anthropic = JSON.stringify({ custom_id: "one", params: { model: MODEL, max_tokens: 10, messages } });
const openai = JSON.stringify({
  custom_id: "two",
  method: "POST",
  url: "/v1/chat/completions",
  body: { model: "gpt-6-sol", messages },
});

describe("Importing requests", () => {
  let desk: RequestDesk;
  const asked: unknown[] = [];
  const told: unknown[] = [];
  const questions: FileQuestions = {
    source: () => Promise.resolve(join(desk.folder, "in.jsonl")),
    target: () => Promise.reject(new Cancelled()),
    skipBad: (bad, good) => {
      asked.push([bad, good]);
      return good > 0 ? Promise.resolve(true) : Promise.reject(new Cancelled());
    },
    watched: (work) => work({}),
    tellImported: ({ ids, bad }) => void told.push([ids.length, bad.length]),
    tellExported: () => undefined,
    historyTarget: () => Promise.reject(new Error("not asked")),
    tellHistory: () => undefined,
  };
  const command = () => fileCommands(desk, questions).importRequests;
  const write = async (...lines: readonly (string | Buffer)[]): Promise<string> => {
    const file = join(desk.folder, "in.jsonl");
    await writeFile(
      file,
      Buffer.concat(lines.map((line) => Buffer.concat([Buffer.from(line), Buffer.from("\n")]))),
    );
    return file;
  };
  const nothingQueued = async () => {
    const left = await desk.journal.operations({ limit: 2000 });
    assert.deepEqual(
      left.filter(({ status }) => status !== "cancelled"),
      [],
    );
  };

  beforeEach(async () => {
    desk = await openRequestDesk();
    asked.length = 0;
    told.length = 0;
  });
  afterEach(() => desk.close());

  it("queues lines of all three shapes, with a BOM, blank lines and either line end", async () => {
    const file = await write(`\uFEFF${anthropic}\r`, "", openai, "  ", own("third", { id: "three" }));
    const { ids, bad } = await command().fromCode({ file });
    assert.deepEqual(bad, []);
    const inputs = await Promise.all(ids.map((id) => desk.llm.inputOf(id)));
    assert.deepEqual(
      inputs.map(({ id, type, provider }) => [id, type, provider]),
      [
        ["one", "import", "anthropic"],
        ["two", "import", "openai"],
        ["three", "judge", "anthropic"],
      ],
    );
  });

  it("queues nothing where a line is bad, and names the lines", async () => {
    const file = await write(
      own("one"),
      "{",
      own("two", { colour: "red" }),
      own("three"),
      Buffer.from([0xff]),
    );
    await assert.rejects(command().fromCode({ file }), (error: Error) => {
      assert.match(
        error.message,
        /^file: has 3 bad lines, so nothing was queued; mend them or set skipBad\./,
      );
      assert.match(error.message, /\n2: is not JSON.*\n3: colour: is not a known field\n5: is not UTF-8$/);
      return true;
    });
    await nothingQueued();
    const { ids, bad } = await command().fromCode({ file, skipBad: true });
    assert.equal(ids.length, 2);
    assert.deepEqual(
      bad.map(({ line }) => line),
      [2, 3, 5],
    );
    assert.equal(desk.llm.queueSize(), 2);
  });

  it("speaks of one bad line as one", async () => {
    const file = await write(own("one"), "{");
    await assert.rejects(
      command().fromCode({ file }),
      /file: has 1 bad line, so nothing was queued; mend it or set skipBad\. Line:\n2: /,
    );
  });

  const request = { type: "judge", model: MODEL, prompt: "x" };
  const values: readonly (readonly [string, string])[] = [
    ["an array on one line", JSON.stringify([request])],
    ["a pretty array", JSON.stringify([request, request], undefined, 2)],
    ["a pretty object", `\uFEFF${JSON.stringify(request, undefined, 2)}`],
    ["an object with requests", JSON.stringify({ requests: [request] })],
    ["a pretty object with requests", JSON.stringify({ requests: [request] }, undefined, "\t")],
  ];
  for (const [what, text] of values)
    it(`says of ${what} that it must be JSONL, whoever asks`, async () => {
      const file = await write(text);
      const refusal = /^InputError: file: must be JSONL, one request per line/;
      await assert.rejects(command().fromCode({ file }), refusal);
      await assert.rejects(command().fromCode({ file, skipBad: true }), refusal);
      await assert.rejects(command().fromPerson({ kind: "none" }), refusal);
      assert.deepEqual(asked, []);
      await nothingQueued();
    });

  it("asks a person whether to go on without the bad lines", async () => {
    await write(own("one"), "{");
    const { ids } = await command().fromPerson({ kind: "none" });
    assert.equal(ids.length, 1);
    assert.deepEqual(told, [[1, 1]], "how many were queued, and how many left out");
    assert.deepEqual(asked, [
      [
        [
          {
            line: 2,
            reason: "is not JSON: Expected property name or '}' in JSON at position 1 (line 1 column 2)",
          },
        ],
        1,
      ],
    ]);
    await write("{");
    await assert.rejects(command().fromPerson({ kind: "none" }), Cancelled);
    assert.equal(desk.llm.queueSize(), 1);
  });

  it("lets what it queues leave together, however many there are", async () => {
    const file = await write(...Array.from({ length: 1200 }, (_, n) => own(`Request ${n}`)));
    const { ids } = await command().fromCode({ file });
    assert.equal(new Set(ids).size, 1200);
    const batches = [desk.llm.getPendingBatch(), desk.llm.queueSize(), desk.llm.pendingBatchCount()];
    assert.deepEqual([batches[1], batches[2]], [0, 1]);
    assert.equal(desk.llm.getPendingBatch()?.operationCount, 1200);
  });

  it("stops when told, at any time, with nothing left to be sent", async () => {
    const file = await write(
      ...Array.from({ length: 3000 }, (_, n) => own(`Request ${n} ${"x".repeat(100)}`)),
    );
    for (const when of ["checking", "queueing"] as const) {
      const abort = new AbortController();
      const watch = {
        signal: abort.signal,
        progress: (step: "checking" | "queueing", share: number) => {
          if (step === when && share > 0.5) abort.abort();
        },
        skipBad: () => Promise.resolve(false),
      };
      await assert.rejects(importRequests(file, desk, watch, {}), Cancelled);
      await desk.clock.advance(1000);
      assert.equal(desk.llm.queueSize() + desk.llm.pendingBatchCount(), 0, when);
      await nothingQueued();
    }
  });

  it("withdraws everything where the file changes between its two readings", async () => {
    const file = await write(own("one"));
    let grown: Promise<void> | undefined;
    const watch = {
      progress: (step: string) => {
        if (step === "queueing") grown ??= appendFile(file, `${own("two")}\n`);
      },
      skipBad: () => Promise.resolve(false),
    };
    const desk2 = {
      ...desk,
      llm: Object.assign(Object.create(desk.llm) as typeof desk.llm, {
        holdTriggers: async <T>(work: () => Promise<T>) => desk.llm.holdTriggers(work),
        enqueueAll: async (...args: Parameters<typeof desk.llm.enqueueAll>) => {
          await grown;
          return desk.llm.enqueueAll(...args);
        },
      }),
    };
    await assert.rejects(
      importRequests(file, desk2, watch, {}),
      /^InputError: file: .* changed while it was read/,
    );
    await nothingQueued();
  });

  it("takes an empty file for what it is", async () => {
    assert.deepEqual(await command().fromCode({ file: await write("") }), { ids: [], bad: [] });
  });

  it("withdraws all where a key was used before for other content", async () => {
    await desk.llm.enqueue({ type: "judge", model: MODEL, prompt: "other", idempotencyKey: "k" });
    const file = await write(own("one"), own("two", { idempotencyKey: "k" }));
    await assert.rejects(command().fromCode({ file }), /^InputError: idempotencyKey: was used before/);
    assert.equal(desk.llm.queueSize(), 1);
  });

  const bad: readonly (readonly [unknown, RegExp])[] = [
    [{}, /^file: /],
    [{ file: "in.jsonl" }, /^file: must be the absolute path/],
    [{ file: "FOLDER/none.jsonl" }, /^file: .*none\.jsonl does not exist/],
    [{ file: "FOLDER" }, /^file: .* is not a file/],
    [{ file: "FOLDER/in.jsonl", skipBad: "yes" }, /^skipBad: /],
    [{ file: "FOLDER/in.jsonl", colour: "red" }, /^colour: /],
  ];
  for (const [input, message] of bad)
    it(`refuses ${JSON.stringify(input)}, naming the field`, async () => {
      await write(own("one"));
      const filled: unknown = JSON.parse(JSON.stringify(input).replace("FOLDER", desk.folder));
      await assert.rejects(
        command().fromCode(filled),
        (error: Error) => message.test(error.message) || assert.fail(error.message),
      );
      await nothingQueued();
    });
});
