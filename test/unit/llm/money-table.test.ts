import assert from "node:assert/strict";
import type { Result } from "../../../src/core/result.ts";
import type { LlmRequestInput } from "../../../src/core/schema/inputs.ts";
import { Texts } from "../../../webview/model/texts.ts";
import { Rig, ask, until } from "./support/rig.ts";
import type { RigOptions } from "./support/rig.ts";

/** US dollars per million tokens, as the providers' pages have them; on purpose not read from the product's table. */
interface Price {
  readonly input: number;
  readonly output: number;
  readonly write5m: number;
  readonly write1h: number;
  readonly read: number;
}
const sonnet: Price = { input: 2, output: 10, write5m: 2.5, write1h: 4, read: 0.1 };
const haikuLong: Price = { input: 0.5, output: 2.5, write5m: 0.625, write1h: 1, read: 0.05 };
const sol: Price = { input: 2, output: 10, write5m: 2, write1h: 2, read: 0.2 };
const solLong: Price = { input: 4, output: 15, write5m: 4, write1h: 4, read: 0.4 };
const own: Price = { input: 7, output: 70, write5m: 8.75, write1h: 14, read: 0.7 };

interface Case {
  readonly name: string;
  /** What this case's answers cost; absent: nobody knows. */
  readonly price?: Price;
  readonly batch: boolean;
  /** 1.1 where it is served in one country only. */
  readonly surcharge?: number;
  readonly options?: RigOptions;
  readonly inputs: readonly LlmRequestInput[];
  /** Runs instead of a plain flush. */
  readonly run?: (rig: Rig) => Promise<void>;
  /** How many of the requests are answered, and so billed. */
  readonly answered: number;
}

const text = (kilobytes: number): string => "All of this is to be read with care. ".repeat(kilobytes * 27);
const many = (count: number, more: Partial<LlmRequestInput> = {}, kilobytes = 150): LlmRequestInput[] =>
  Array.from({ length: count }, (_, n) => ask(`${n} ${text(kilobytes)}`, more));
const openai = { provider: "openai", model: "gpt-6-sol" } as const;
const shared = (ttl: "5m" | "1h", count: number, more: Partial<LlmRequestInput> = {}): LlmRequestInput[] => {
  const control = { cache_control: { type: "ephemeral", ...(ttl === "1h" ? { ttl } : {}) } };
  const system = [{ type: "text", text: text(600), ...control }];
  return Array.from({ length: count }, (_, n) => ask(`Question ${n}`, { system, ...more }));
};
const forced = (stopReason: string) => (rig: Rig) => {
  rig.simulator.setOutcome({ prompt: /./u, outcome: { kind: "succeeded", stopReason } });
  return rig.flush();
};

const cases: readonly Case[] = [
  { name: "Anthropic, batch", price: sonnet, batch: true, inputs: many(8), answered: 8 },
  {
    name: "Anthropic, one call now",
    price: sonnet,
    batch: false,
    inputs: many(2, { urgency: "now" }),
    answered: 2,
  },
  {
    name: "Anthropic, batch, cache of 1 h",
    price: sonnet,
    batch: true,
    inputs: shared("1h", 8),
    answered: 8,
  },
  {
    name: "Anthropic, batch, cache of 1 h, 30 % found",
    price: sonnet,
    batch: true,
    options: { cacheHitRate: 0.3 },
    inputs: shared("1h", 12),
    answered: 12,
  },
  {
    name: "Anthropic, soon, cache of 5 min",
    price: sonnet,
    batch: false,
    inputs: shared("5m", 8, { urgency: "soon" }),
    answered: 8,
  },
  {
    name: "Anthropic, batch, long prompts at the high rate",
    price: haikuLong,
    batch: true,
    inputs: many(6, { model: "claude-haiku-5-5" }, 600),
    answered: 6,
  },
  {
    name: "Anthropic, batch, in the United States only",
    price: sonnet,
    batch: true,
    surcharge: 1.1,
    inputs: many(8, { params: { inference_geo: "us" } }),
    answered: 8,
  },
  {
    name: "Anthropic, batch, price unknown",
    batch: true,
    inputs: many(4, { model: "claude-mythos-5-2" }),
    answered: 4,
  },
  {
    name: "Anthropic, batch, the user's own price",
    price: own,
    batch: true,
    options: { settings: { prices: { "claude-mythos-5-2": { input: 7, output: 70 } } } },
    inputs: many(4, { model: "claude-mythos-5-2" }),
    answered: 4,
  },
  {
    name: "Anthropic, soon, packed into one call",
    price: sonnet,
    batch: false,
    options: { settings: { packing: true } },
    inputs: Array.from({ length: 8 }, (_, n) => ask(`Item ${n}`, { urgency: "soon", system: text(500) })),
    run: (rig) => {
      const answers = Array.from({ length: 8 }, (_, n) => [
        `item_${n + 1}`,
        { echo: `Item ${n}`, answer: `Answer ${n}` },
      ]);
      const said = JSON.stringify(Object.fromEntries(answers));
      rig.simulator.setOutcome({ prompt: /independent tasks/u, outcome: { kind: "succeeded", text: said } });
      return rig.flush();
    },
    answered: 8,
  },
  {
    name: "Anthropic, batch, refused (billed)",
    price: sonnet,
    batch: true,
    inputs: many(6),
    run: forced("refusal"),
    answered: 6,
  },
  {
    name: "Anthropic, batch, half expired (not billed)",
    price: sonnet,
    batch: true,
    options: { autoEndMs: null },
    inputs: many(8),
    run: async (rig) => {
      const flushed = rig.flush();
      await until(() => rig.simulator.batches.length === 1);
      await rig.simulator.advance(86_400_000);
      await flushed;
    },
    answered: 4,
  },
  {
    name: "Anthropic, batch, all errored (not billed)",
    price: sonnet,
    batch: true,
    inputs: many(4),
    run: (rig) => {
      const outcome = { kind: "errored", type: "api_error", message: "No." } as const;
      rig.simulator.setOutcome({ prompt: /./u, outcome });
      return rig.flush();
    },
    answered: 0,
  },
  { name: "OpenAI, batch", price: sol, batch: true, inputs: many(8, openai), answered: 8 },
  {
    name: "OpenAI, one call now",
    price: sol,
    batch: false,
    inputs: many(4, { ...openai, urgency: "now" }),
    answered: 4,
  },
  {
    name: "OpenAI, batch, above 272,000 tokens",
    price: solLong,
    batch: true,
    inputs: many(2, openai, 1200),
    answered: 2,
  },
];

interface Usage {
  readonly input: number;
  readonly output: number;
  readonly write5m: number;
  readonly write1h: number;
  readonly read: number;
}

/** What the server said of one answer. */
function usageOf(message: unknown): Usage {
  const { usage } = message as { usage: Record<string, unknown> };
  const count = (value: unknown): number => (typeof value === "number" ? value : 0);
  const inside = (name: string): Record<string, unknown> => (usage[name] ?? {}) as Record<string, unknown>;
  const output = count(usage["output_tokens"]);
  if ("input_tokens_details" in usage) {
    const read = count(inside("input_tokens_details")["cached_tokens"]);
    return { input: count(usage["input_tokens"]) - read, output, write5m: 0, write1h: 0, read };
  }
  const written = inside("cache_creation");
  return {
    input: count(usage["input_tokens"]),
    output,
    write5m: count(written["ephemeral_5m_input_tokens"]),
    write1h: count(written["ephemeral_1h_input_tokens"]),
    read: count(usage["cache_read_input_tokens"]),
  };
}

/** Each message once: packed answers share theirs. */
const messagesOf = (results: readonly (Result | undefined)[]): readonly unknown[] => [
  ...new Map(
    results
      .filter((result) => result?.status === "succeeded")
      .map((result) => [JSON.stringify(result?.message), result?.message]),
  ).values(),
];

function expected(messages: readonly unknown[], { price = own, batch, surcharge = 1 }: Case) {
  let [standard, paid] = [0, 0];
  for (const { input, output, write5m, write1h, read } of messages.map(usageOf)) {
    standard += (input + write5m + write1h + read) * price.input + output * price.output;
    paid +=
      input * price.input +
      output * price.output +
      write5m * price.write5m +
      write1h * price.write1h +
      read * price.read;
  }
  const factor = surcharge / 1e6;
  return { standard: standard * factor, paid: paid * factor * (batch ? 0.5 : 1) };
}

const cents = (usd: number): string =>
  new Intl.NumberFormat("en", { style: "currency", currency: "USD" }).format(usd);
const rows: string[][] = [["Case", "Standard cost", "Cost as sent", "The panel says", "Saved"]];

describe("The panel's money, case by case, to the cent", function () {
  this.timeout(60_000);
  const texts = new Texts({}, "en");
  let rig: Rig;
  afterEach(() => rig.close());
  /** `MONEY_TABLE=1 mocha test/unit/llm/money-table.test.ts` shows the figures. */
  after(() => {
    if (process.env["MONEY_TABLE"] === undefined) return;
    const [head = [], ...body] = rows;
    const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
    console.log([line(head), line(head.map(() => "---")), ...body.map(line)].join("\n"));
  });

  for (const each of cases) {
    it(each.name, async () => {
      rig = await Rig.start({ now: "2026-11-29T12:00:00Z", ...each.options });
      const ids = await rig.enqueue(...each.inputs);
      await (each.run ?? ((of) => of.flush()))(rig);
      const results = await rig.results(ids);
      assert.equal(results.filter((result) => result?.status === "succeeded").length, each.answered);
      const { stats } = (await rig.journal.state()).llm;
      const { standard, paid } = expected(messagesOf(results), each);
      if (each.price === undefined) {
        assert.deepEqual([stats.unpricedRequests, stats.costUsd], [each.answered, 0]);
        assert.ok(results.every((result) => result?.costUsd === null));
        rows.push([each.name, "unknown", "unknown", "unknown", "–"]);
        return;
      }
      assert.ok(each.answered === 0 || standard > 0.2, `${standard} shows no cents`);
      const said = [stats.standardCostUsd, stats.costUsd, stats.savedUsd].map((usd) => texts.money(usd));
      assert.deepEqual(said, [cents(standard), cents(paid), cents(standard - paid)]);
      rows.push([each.name, cents(standard), cents(paid), `${said[1]} of ${said[0]}`, said[2] ?? ""]);
    });
  }
});
