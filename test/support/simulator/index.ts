import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AnthropicApi } from "./anthropic/api.ts";
import { carryOut } from "./control.ts";
import { OpenaiApi } from "./openai/api.ts";
import { SimulatorServer } from "./server.ts";
import type { Simulator } from "./simulator.ts";
import { World } from "./world.ts";
import type { SimulatorOptions } from "./world.ts";

export type { ControlOrder } from "./control.ts";
export type { Fault, Match, PartFault, Rule } from "./faults.ts";
export type { LoggedRequest } from "./log.ts";
export type { Outcome, OutcomeRule } from "./outcome.ts";
export { anthropicFaults, openaiFaults, outcomes } from "./presets.ts";
export type { ServerBatch, Simulator } from "./simulator.ts";
export type { SimulatorOptions, Tier } from "./world.ts";

/** Starts a simulator of the Anthropic and OpenAI APIs on the loopback interface. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const folder = await mkdtemp(join(tmpdir(), `llm-simulator-${process.pid}-`));
  const world = new World(options, folder);
  const anthropic = new AnthropicApi(world);
  const openai = new OpenaiApi(world);
  const server = new SimulatorServer(world, anthropic, openai, (body) => carryOut(simulator, body));
  const port = await server.listen(options.port ?? 0);

  const simulator: Simulator = {
    url: `http://127.0.0.1:${port}`,
    port,
    requests: server.log,
    get batches() {
      return [...anthropic.batches.views(), ...openai.batches.views()];
    },
    async endBatch(id) {
      const found = (await anthropic.batches.end(id)) || (await openai.batches.end(id));
      if (!found) throw new Error(`no batch ${id}`);
    },
    async stepBatch(id) {
      const found = (await anthropic.batches.end(id)) || (await openai.batches.step(id));
      if (!found) throw new Error(`no batch ${id}`);
    },
    async endAll() {
      for (const batch of this.batches) await this.endBatch(batch.id);
    },
    async advance(ms) {
      world.clock.advance(ms);
      await anthropic.batches.expireOverdue();
      await openai.batches.expireOverdue();
    },
    misbehave: (rule) => server.misbehaviour.add(rule),
    setOutcome: (rule) => void world.outcomes.push(rule),
    hide: (id) => void world.hidden.add(id),
    show: (id) => void world.hidden.delete(id),
    reset() {
      server.log.length = 0;
      server.misbehaviour.clear();
      world.outcomes.length = 0;
      world.hidden.clear();
    },
    async close() {
      await server.close();
      await anthropic.batches.close();
      await openai.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return simulator;
}
