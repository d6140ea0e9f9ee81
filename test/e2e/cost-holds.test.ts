import assert from "node:assert/strict";
import type { Snapshot } from "../../src/core/snapshot.ts";
import { useDemoWorkbench } from "../support/workbench/fixtures.ts";
import { until } from "../support/workbench/until.ts";
import type { WorkbenchWindow } from "../support/workbench/window.ts";

describe("A limit on money that nobody was there to be asked about", () => {
  const fixture = useDemoWorkbench({
    settings: { "batchControl.llm.maxBatchAge": 1, "batchControl.llm.maxCostPerFlush": 0.000001 },
  });
  let window: WorkbenchWindow;
  const run = <Result>(name: string, argument: unknown): Promise<Result> =>
    window.bridge.command<Result>(`batchControl.${name}`, argument);
  const state = (): Promise<Snapshot> => run<Snapshot>("getState", {});
  const reasons = async (): Promise<readonly string[]> => (await state()).holds.map(({ reason }) => reason);
  const ask = (prompt: string): Promise<{ readonly id: string }> =>
    run("enqueueRequest", { type: "judge", model: "claude-haiku-4-5", prompt });

  before(async () => {
    window = await fixture.workbench.open(fixture.sample.workspace);
  });

  it("holds what went out by itself, until nothing is left that it holds", async () => {
    await ask("one");
    await until("the hold", async () => (await reasons()).includes("flush-cost-limit"));
    assert.deepEqual((await state()).llm.executed, []);
    await run("clear", {});
    await until("no hold", async () => (await reasons()).length === 0);
  });

  it("lets it out once the limit was raised", async () => {
    await ask("two");
    await until("the hold", async () => (await reasons()).includes("flush-cost-limit"));
    await fixture.workbench.server.setSettings({ "batchControl.llm.maxCostPerFlush": 1 });
    await until("an answer", async () =>
      (await state()).llm.executed.some(({ status }) => status === "completed"),
    );
    assert.deepEqual(await reasons(), []);
  });
});
