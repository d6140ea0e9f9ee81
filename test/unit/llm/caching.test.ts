import assert from "node:assert/strict";
import type { LlmRequestInput } from "../../../src/core/schema/inputs.ts";
import { Rig, ask } from "./support/rig.ts";

/** About 5,000 tokens each. */
const long = (word: string): string => `${word} says something of use here. `.repeat(600);
const block = (text: string) => ({ type: "text", text });
const asked = (content: unknown, more: Partial<LlmRequestInput> = {}): LlmRequestInput => {
  const { prompt: _prompt, ...rest } = ask("");
  return { ...rest, messages: [{ role: "user", content }], ...more };
};

describe("A beginning of the messages that requests share", function () {
  this.timeout(30_000);
  let rig: Rig;
  afterEach(() => rig.close());

  const sent = async (id: string): Promise<Record<string, unknown>> => {
    const batch = rig.simulator.batches.find(({ customIds }) => customIds.includes(id));
    return (await batch?.params(id)) ?? {};
  };
  /** As the text of each block with a star where a breakpoint stands. */
  const marks = async (id: string): Promise<string[]> => {
    const { system = [], messages } = await sent(id);
    const blocks = [system, ...(messages as { content: unknown }[]).map(({ content }) => content)].flatMap(
      (content) => (typeof content === "string" ? [block(content)] : (content as object[])),
    );
    return blocks.map((each) => {
      const text = "text" in each ? String(each.text).slice(0, 4) : "type" in each ? String(each.type) : "";
      return "cache_control" in each ? `${text}*` : text;
    });
  };
  const detail = async (id: string): Promise<Record<string, unknown>> => {
    const operation = await rig.journal.operation(id);
    return ((await rig.journal.batch(operation?.batch ?? ""))?.detail ?? {}) as Record<string, unknown>;
  };

  it("is cached up to its last block, for each set of requests that share one, and says what that saved", async () => {
    rig = await Rig.start();
    const [one, two] = [block(long("One")), block(long("Two"))];
    const ids = await rig.enqueue(
      ...Array.from({ length: 20 }, (_, n) => asked([one, block("And?"), block(`Question ${n}`)])),
      ...Array.from({ length: 20 }, (_, n) => asked([two, block(`Question ${n}`)])),
      asked([block(long("Alone")), block("Question")]),
    );
    await rig.flush();
    assert.deepEqual(await marks(ids[0] ?? ""), ["One ", "And?*", "Ques"]);
    assert.deepEqual(await marks(ids[39] ?? ""), ["Two *", "Ques"]);
    assert.deepEqual(await marks(ids[40] ?? ""), ["Alon", "Ques"]);
    const { cache } = (await detail(ids[0] ?? "")) as { cache: { hitRate: number; verdict: string } };
    assert.ok(cache.hitRate > 0.9, String(cache.hitRate));
    assert.equal(cache.verdict, "Caching saved money.");
    assert.ok((await rig.results(ids)).every((result) => result?.status === "succeeded"));
  });

  it("has a breakpoint of its own beside that of a shared system prompt", async () => {
    rig = await Rig.start();
    const system = long("System");
    const ids = await rig.enqueue(
      ...["One", "Two"].flatMap((word) =>
        Array.from({ length: 10 }, (_, n) => asked([block(long(word)), block(`Question ${n}`)], { system })),
      ),
    );
    await rig.flush();
    assert.deepEqual(await marks(ids[0] ?? ""), ["Syst*", "One *", "Ques"]);
  });

  it("may be whole messages, and nothing that was asked is changed by it", async () => {
    rig = await Rig.start();
    const messages = (n: number) => [
      { role: "user", content: long("One") },
      { role: "assistant", content: "Read." },
      { role: "user", content: `Question ${n}` },
    ];
    const ids = await rig.enqueue(
      ...Array.from({ length: 10 }, (_, n) => asked("", { messages: messages(n) })),
    );
    await rig.flush();
    assert.deepEqual(await marks(ids[0] ?? ""), ["One ", "Read*", "Ques"]);
    const got = (await sent(ids[3] ?? ""))["messages"] as { role: string; content: unknown }[];
    const plain = got.map(({ role, content }) => ({
      role,
      content: Array.isArray(content) ? content.map(({ text }: { text: string }) => text).join("") : content,
    }));
    assert.deepEqual(plain, messages(3));
  });

  it("is left alone where it differs, is too short, or what is beside the messages changes how they are cached", async () => {
    rig = await Rig.start();
    const shared = block(long("One"));
    const cases: readonly (readonly LlmRequestInput[])[] = [
      Array.from({ length: 10 }, (_, n) => asked([block(`${n} ${long("One")}`), block("Question")])),
      Array.from({ length: 10 }, (_, n) => asked([block("Be brief."), block(`Question ${n}`)])),
      Array.from({ length: 10 }, (_, n) =>
        asked([shared, block("Question")], {
          params: { thinking: { type: "adaptive", display: String(n) } },
        }),
      ),
      Array.from({ length: 10 }, () => asked(long("One"))),
    ];
    for (const inputs of cases) {
      const ids = await rig.enqueue(...inputs);
      await rig.flush();
      assert.ok(!(await marks(ids[0] ?? "")).join().includes("*"), String(await marks(ids[0] ?? "")));
    }
  });

  it("is written once by the first of concurrent calls and read by the others", async () => {
    rig = await Rig.start();
    const document = block(long("One"));
    const ids = await rig.enqueue(
      ...Array.from({ length: 12 }, (_, n) => asked([document, block(`Question ${n}`)], { urgency: "soon" })),
    );
    await rig.flush();
    const usages = (await rig.results(ids)).map((result) => result?.usage);
    assert.equal(usages.filter((usage) => (usage?.cacheWriteTokens ?? 0) > 0).length, 1);
    assert.equal(usages.filter((usage) => (usage?.cacheReadTokens ?? 0) > 0).length, 11);
  });
});
