import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { startSimulator } from "../../support/simulator/index.ts";
import type { Simulator, SimulatorOptions } from "../../support/simulator/index.ts";

export interface Running {
  readonly simulator: Simulator;
  readonly anthropic: Anthropic;
  readonly openai: OpenAI;
}

/** Runs a test against its own simulator, with both vendors' clients that do not retry. */
export async function withSimulator(
  options: SimulatorOptions,
  test: (running: Running) => Promise<void>,
): Promise<void> {
  const simulator = await startSimulator({ autoEndMs: null, ...options });
  try {
    await test({
      simulator,
      anthropic: anthropicClient(simulator, "test-key"),
      openai: new OpenAI({ apiKey: "test-key", baseURL: `${simulator.url}/v1`, maxRetries: 0 }),
    });
    const failed = simulator.requests.find((request) => request.failure !== undefined);
    if (failed !== undefined) throw new Error(`the simulator failed: ${failed.failure ?? ""}`);
  } finally {
    await simulator.close();
  }
}

export function anthropicClient(simulator: Simulator, apiKey: string, maxRetries = 0): Anthropic {
  return anthropicClientAt(simulator.url, apiKey, maxRetries);
}

export function anthropicClientAt(baseURL: string, apiKey: string, maxRetries = 0): Anthropic {
  return new Anthropic({ apiKey, baseURL, maxRetries });
}

export type Params = Anthropic.MessageCreateParamsNonStreaming;
export type BatchItem = Anthropic.Messages.BatchCreateParams.Request;

export function params(prompt: string, other: Partial<Params> = {}): Params {
  return {
    model: "claude-opus-5-5",
    max_tokens: 1024,
    messages: [{ role: "user", content: prompt }],
    ...other,
  };
}

export function items(count: number): BatchItem[] {
  return Array.from({ length: count }, (_, index) => ({
    custom_id: `item-${index}`,
    params: params(`prompt ${index}`),
  }));
}

export type Line = Anthropic.Messages.MessageBatchIndividualResponse;

/** All result lines of a batch by their id. */
export async function resultsOf(client: Anthropic, id: string): Promise<Map<string, Line["result"]>> {
  const lines = new Map<string, Line["result"]>();
  for await (const line of await client.messages.batches.results(id)) lines.set(line.custom_id, line.result);
  return lines;
}

export function textOf(message: Anthropic.Message): string {
  return message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
}
