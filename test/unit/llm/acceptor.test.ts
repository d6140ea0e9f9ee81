import assert from "node:assert/strict";
import { InputError } from "../../../src/core/errors.ts";
import { sideOf } from "../../../src/core/operation.ts";
import { llmRequestInput, parseInput } from "../../../src/core/schema/inputs.ts";
import type { LlmRequestInput } from "../../../src/core/schema/inputs.ts";
import { LlmAcceptor } from "../../../src/llm/acceptor.ts";
import type { StoredRequest } from "../../../src/llm/payload.ts";
import { createProviders } from "../../../src/llm/providers/index.ts";
import { FastClock } from "./support/clock.ts";
import { ask } from "./support/rig.ts";

function acceptorAt(date: string): LlmAcceptor {
  const clock = new FastClock(1);
  clock.jump(Date.parse(date) - Date.now());
  const settings = () => ({ provider: "anthropic" as const, anthropicBaseUrl: "", openaiBaseUrl: "" });
  return new LlmAcceptor({
    settings,
    clock,
    provider: createProviders({ settings, clock, apiKey: () => Promise.resolve("key") }),
  });
}

const acceptor = acceptorAt("2026-11-29T12:00:00Z");
const context = { id: "0193", source: "extension", interactive: false } as const;
const accept = (input: LlmRequestInput) => acceptor.accept(parseInput(llmRequestInput, input), context);
const stored = async (input: LlmRequestInput): Promise<StoredRequest> =>
  (await accept(input)).payload as StoredRequest;

describe("Accepting an LLM request", () => {
  it("makes the provider's parameters and a group of what may share a batch", async () => {
    const draft = await accept(
      ask("Write a test", { system: "Be brief.", params: { stop_sequences: ["END"] } }),
    );
    assert.equal(draft.group, "llm:anthropic/implementer/claude-sonnet-5-5");
    assert.equal(draft.lane, "llm:anthropic");
    assert.equal(sideOf(draft.kind), "llm");
    assert.equal(draft.label, "Write a test");
    assert.equal(draft.immediate, undefined);
    assert.deepEqual((draft.payload as StoredRequest).params, {
      model: "claude-sonnet-5-5",
      max_tokens: 4096,
      system: "Be brief.",
      messages: [{ role: "user", content: "Write a test" }],
      stop_sequences: ["END"],
    });
  });

  it("keeps urgency, betas and unusual endpoints apart, and sends what is urgent at once", async () => {
    const groups = await Promise.all([
      accept(ask("x", { urgency: "soon" })),
      accept(ask("x", { urgency: "now" })),
      accept(ask("x", { betas: ["b", "a"] })),
      accept(ask("x", { urgency: "batch" })),
      accept(ask("x", { type: "import/odd" })),
    ]);
    assert.deepEqual(
      groups.map(({ group }) => group.replace("llm:anthropic/", "")),
      [
        "implementer/claude-sonnet-5-5?urgency=soon",
        "implementer/claude-sonnet-5-5?urgency=now",
        "implementer/claude-sonnet-5-5?betas=a%2Cb",
        "implementer/claude-sonnet-5-5",
        "import%2Fodd/claude-sonnet-5-5",
      ],
    );
    assert.deepEqual(
      groups.map(({ immediate }) => immediate),
      [undefined, true, undefined, undefined, undefined],
    );
  });

  it("keeps any id of the user as a label, duplicates and odd ones included", async () => {
    for (const id of ["a".repeat(65), "with space.dot/slash-ü", "same", "same"])
      assert.equal((await accept(ask("x", { id }))).label, id);
    assert.equal((await accept(ask("the prompt", { id: "" }))).label, "the prompt");
    assert.equal((await accept(ask("word ".repeat(40)))).label.length <= 60, true);
  });

  it("has the same fingerprint for the same content only", async () => {
    const first = await accept(ask("x", { params: { tools: [], metadata: { user_id: "u" } } }));
    const same = await accept(
      ask("x", { params: { metadata: { user_id: "u" }, tools: [] }, idempotencyKey: "k" }),
    );
    const other = await accept(ask("y"));
    assert.equal(first.fingerprint, same.fingerprint);
    assert.notEqual(first.fingerprint, other.fingerprint);
    assert.equal(same.idempotencyKey, "k");
  });

  it("gives back the input that a stored request was made of", async () => {
    const { prompt: _prompt, ...base } = ask("x");
    const inputs: LlmRequestInput[] = [
      ask("Hello", {
        system: [{ type: "text", text: "Be brief." }],
        maxTokens: 12,
        params: { tools: [] },
        metadata: { a: 1 },
        id: "mine",
      }),
      {
        ...base,
        messages: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
        betas: ["one"],
        urgency: "soon",
      },
    ];
    for (const input of inputs) {
      assert.deepEqual(acceptor.inputOf({ payload: JSON.stringify(await stored(input)) }), {
        ...input,
        provider: "anthropic",
      });
    }
  });

  it("takes over a patch when a request is edited", async () => {
    const payload = JSON.stringify(await stored(ask("Old", { system: "S" })));
    const operation = { payload } as Parameters<typeof acceptor.again>[0];
    const draft = await acceptor.again(operation, context, {
      messages: [{ role: "user", content: "New" }],
      type: "judge",
    });
    assert.equal(draft.group, "llm:anthropic/judge/claude-sonnet-5-5");
    assert.deepEqual((draft.payload as StoredRequest).params["messages"], [{ role: "user", content: "New" }]);
    assert.equal((draft.payload as StoredRequest).params["system"], "S");
    await assert.rejects(acceptor.again(operation, context, { nonsense: 1 }), InputError);
  });

  it("caps the usual length of an answer by the model, and warns of a model that it does not know", async () => {
    const draft = await accept(ask("x", { model: "claude-future-9" }));
    assert.match(JSON.stringify(draft.detail), /claude-future-9 is not known here/u);
    assert.equal((await stored(ask("x", { model: "claude-haiku-4-5" }))).params["max_tokens"], 4096);
  });

  it("warns of a prompt that may not fit the model, and of a model about to retire", async () => {
    const long = await accept(ask("a ".repeat(5_000_000)));
    assert.match(JSON.stringify(long.detail), /may not fit/u);
    const retiring = await accept(ask("x", { model: "claude-sonnet-4-5" }));
    assert.match(JSON.stringify(retiring.detail), /retired on 2026-11-30/u);
  });
});

describe("Refusing an LLM request when it is queued", () => {
  const { prompt: _prompt, ...base } = ask("x");
  const user = (content: unknown): LlmRequestInput => ({ ...base, messages: [{ role: "user", content }] });
  const cases: [string, LlmRequestInput, RegExp][] = [
    ["params.temperature", ask("x", { params: { temperature: 1 } }), /leave it out/u],
    ["params.top_p", ask("x", { params: { top_p: 1 } }), /leave it out/u],
    ["params.top_k", ask("x", { params: { top_k: 1 } }), /leave it out/u],
    ["params.stream", ask("x", { params: { stream: true } }), /streamed/u],
    ["params.speed", ask("x", { params: { speed: "fast" } }), /not allowed in a batch/u],
    ["params.extra_body", ask("x", { params: { extra_body: {} } }), /params/u],
    ["params.betas", ask("x", { params: { betas: ["a"] } }), /betas/u],
    ["params.nonsense", ask("x", { params: { nonsense: 1 } }), /not known/u],
    ["params.max_tokens", ask("x", { params: { max_tokens: 0 } }), /maxTokens/u],
    ["params.model", ask("x", { params: { model: "claude-opus-5" } }), /named field/u],
    ["params.messages", ask("x", { params: { messages: [] } }), /named field/u],
    ["params.system", ask("x", { params: { system: "s" } }), /named field/u],
    ["maxTokens", ask("x", { maxTokens: 0 }), /at least 1/u],
    ["maxTokens", ask("x", { maxTokens: 200_000 }), /output-300k-2026-03-24/u],
    ["maxTokens", ask("x", { maxTokens: 65_000, model: "claude-haiku-4-5" }), /at most 64000/u],
    ["params.tool_choice", ask("x", { params: { tool_choice: { type: "any" } } }), /cannot force a tool/u],
    [
      "params.thinking",
      ask("x", { params: { thinking: { type: "enabled", budget_tokens: 2000 } } }),
      /adaptive/u,
    ],
    ["params.thinking", ask("x", { params: { thinking: { type: "disabled" } } }), /switched off/u],
    ["model", ask("x", { model: "claude-mythos-preview" }), /retired on 2026-06-30/u],
    ["provider", ask("x", { model: "gpt-6-sol" }), /openai/u],
    ["endpoint", ask("x", { endpoint: "/v1/other" }), /\/v1\/messages/u],
    ["prompt", ask("  \n "), /blank/u],
    ["prompt", ask(""), /empty/u],
    ["prompt", ask("bad \uD800 half"), /surrogate pair at character 5/u],
    ["messages.0.content", user("half \uDC00"), /surrogate/u],
    ["metadata.deep.0", ask("x", { metadata: { deep: ["\uD800"] } }), /surrogate/u],
    ["messages.0.content", user([]), /empty/u],
    ["messages.0.content.0.text", user([{ type: "text", text: " " }]), /blank/u],
    ["messages.0.content.0.citations", user([{ type: "text", text: "x", citations: {} }]), /refused/u],
    ["messages.0.role", { ...base, messages: [{ role: "robot", content: "x" }] }, /user/u],
    [
      "messages.1.content.0",
      {
        ...base,
        messages: [...(user("x").messages ?? []), { role: "assistant", content: [{ type: "document" }] }],
      },
      /document/u,
    ],
    [
      "messages",
      {
        ...base,
        model: "claude-fable-5-1",
        messages: [...(user("x").messages ?? []), { role: "assistant", content: "{" }],
      },
      /assistant/u,
    ],
    ["system", ask("x", { system: 5 }), /text/u],
    ["prompt", ask("x".repeat(32_000_001)), /32.0 MB/u],
  ];
  for (const [field, input, message] of cases) {
    it(`names ${field}: ${message.source.replaceAll("\\", "")}`, async () => {
      await assert.rejects(
        Promise.resolve().then(() => accept(input)),
        (error) => error instanceof InputError && error.field === field && message.test(error.message),
      );
    });
  }

  it("refuses a model from its last day on", async () => {
    const later = acceptorAt("2026-11-30T00:00:01Z");
    await assert.rejects(
      later.accept(ask("x", { model: "claude-sonnet-4-5" }), context),
      /model: .*2026-11-30/u,
    );
  });

  it("takes long answers with the beta, and unknown parameters with any", async () => {
    const long = await stored(ask("x", { maxTokens: 200_000, betas: ["output-300k-2026-03-24"] }));
    assert.equal(long.params["max_tokens"], 200_000);
    const draft = await accept(ask("x", { params: { mcp_servers: [] }, betas: ["mcp-client"] }));
    assert.match(JSON.stringify(draft.detail), /mcp_servers/u);
  });

  it("takes the fast mode outside of batches", async () => {
    assert.equal(
      (await stored(ask("x", { urgency: "now", params: { speed: "fast" } }))).params["speed"],
      "fast",
    );
  });

  it("says so when an input is not JSON", async () => {
    const cycle: Record<string, unknown> = {};
    cycle["self"] = cycle;
    await assert.rejects(accept(ask("x", { params: { tools: [10n] } })), InputError);
    await assert.rejects(accept(ask("x", { params: { metadata: cycle } })), InputError);
  });
});
