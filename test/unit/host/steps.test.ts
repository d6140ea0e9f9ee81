import assert from "node:assert/strict";
import { back, runSteps } from "../../../src/host/ui/steps.ts";
import type { Step } from "../../../src/host/ui/steps.ts";

describe("Questions in steps", () => {
  /** Each step answers what its list says next, and notes that it was asked. */
  function script(answers: Record<string, Awaited<ReturnType<Step>>[]>) {
    const asked: string[] = [];
    const steps = Object.keys(answers).map((name): Step => ({ canGoBack }) => {
      asked.push(`${name}${canGoBack ? "<" : ""}`);
      return Promise.resolve(answers[name]?.shift() ?? "asked");
    });
    return { asked, steps };
  }

  it("asks one after the other; only the first has no way back", async () => {
    const { asked, steps } = script({ a: [], b: [], c: [] });
    await runSteps("title", steps);
    assert.deepEqual(asked, ["a", "b<", "c<"]);
  });

  it("goes back to the question shown before, over those that answered themselves", async () => {
    const { asked, steps } = script({ a: [], b: ["skipped", "skipped"], c: [back] });
    await runSteps("title", steps);
    assert.deepEqual(asked, ["a", "b<", "c<", "a", "b<", "c<"]);
  });

  it("offers no way back where nothing was asked before", async () => {
    const { asked, steps } = script({ a: ["skipped"], b: [] });
    await runSteps("title", steps);
    assert.deepEqual(asked, ["a", "b"]);
  });

  it("ends when a question is dismissed", async () => {
    const reached: string[] = [];
    const dismissed: Step = () => Promise.reject(new Error("dismissed"));
    const later: Step = () => {
      reached.push("later");
      return Promise.resolve("asked");
    };
    await assert.rejects(runSteps("title", [dismissed, later]), /dismissed/);
    assert.deepEqual(reached, []);
  });
});
