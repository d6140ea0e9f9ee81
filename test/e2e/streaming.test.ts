import assert from "node:assert/strict";
import { useDemoWorkbench } from "../support/workbench/fixtures.ts";
import { until } from "../support/workbench/until.ts";
import type { WorkbenchWindow } from "../support/workbench/window.ts";

const answer = Array.from({ length: 40 }, (_, n) => `Sentence ${n} of a long answer.`).join(" ");

describe("An answer that comes slowly", () => {
  const fixture = useDemoWorkbench();
  let window: WorkbenchWindow;
  const run = <Answer>(name: string, argument: unknown): Promise<Answer> =>
    window.bridge.command<Answer>(`batchControl.${name}`, argument);
  const shown = (): Promise<string> =>
    window.bridge.evaluate(({ vscode }) => vscode.window.activeTextEditor?.document.getText() ?? "");

  before(async () => {
    window = await fixture.workbench.open(fixture.sample.workspace);
  });

  it("is shown as far as it has come, then as the result", async () => {
    fixture.simulator.setOutcome({ prompt: /slowly/, outcome: { kind: "succeeded", text: answer } });
    fixture.simulator.misbehave({
      match: { path: "/v1/messages" },
      do: { kind: "parts", faults: [{ kind: "pace", ms: 250 }] },
    });
    const { id } = await run<{ id: string }>("enqueueRequest", {
      type: "planner",
      model: "claude-haiku-4-5",
      prompt: "Answer slowly.",
      urgency: "now",
    });
    await until("the call", () => fixture.simulator.requests.some(({ path }) => path === "/v1/messages"));
    await run("openResult", { id });
    const begun = await until("the beginning of the answer", async () => {
      const text = await shown();
      return text.includes("Sentence 0") && !text.includes("Sentence 39") ? text : undefined;
    });
    assert.match(begun, /^---\nid: [^]*\nstatus: "executing"\n---\n\nSentence 0 /);
    await until("more of it", async () => {
      const text = await shown();
      return text.length > begun.length && text.includes('"executing"') ? text : undefined;
    });
    const whole = await until("the result", async () => {
      const text = await shown();
      return text.includes('status: "succeeded"') ? text : undefined;
    });
    assert.ok(whole.includes(answer));
    assert.match(whole, /\noutput_tokens: \d+\n[^]*\ncost_usd: /);
  });
});
