import type { Rule } from "./faults.ts";
import { isObject } from "./http.ts";
import type { OutcomeRule } from "./outcome.ts";
import type { Simulator } from "./simulator.ts";

/** What another process may order at `POST /__control`. A pattern is written `{"regexp":"…","flags":"…"}`. */
export type ControlOrder =
  | { readonly action: "endBatch" | "stepBatch"; readonly id: string }
  | { readonly action: "endAll" }
  | { readonly action: "advance"; readonly ms: number }
  | { readonly action: "misbehave"; readonly rule: Rule }
  | { readonly action: "setOutcome"; readonly rule: OutcomeRule }
  | { readonly action: "hide" | "show"; readonly id: string }
  | { readonly action: "reset" }
  | { readonly action: "state" };

/** Carries an order out; `state` answers with the log and the batches. Throws on one that is not understood. */
export async function carryOut(simulator: Simulator, body: unknown): Promise<unknown> {
  const order = revive(body) as ControlOrder;
  switch (order.action) {
    case "endBatch":
      return simulator.endBatch(order.id);
    case "stepBatch":
      return simulator.stepBatch(order.id);
    case "endAll":
      return simulator.endAll();
    case "advance":
      return simulator.advance(order.ms);
    case "misbehave":
      simulator.misbehave(order.rule);
      return undefined;
    case "setOutcome":
      simulator.setOutcome(order.rule);
      return undefined;
    case "hide":
      simulator.hide(order.id);
      return undefined;
    case "show":
      simulator.show(order.id);
      return undefined;
    case "reset":
      simulator.reset();
      return undefined;
    case "state":
      return { requests: simulator.requests, batches: simulator.batches };
    default:
      throw new Error(`unknown action: ${JSON.stringify(body)}`);
  }
}

function revive(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(revive);
  if (!isObject(value)) return value;
  const { regexp, flags } = value;
  if (typeof regexp === "string") return new RegExp(regexp, typeof flags === "string" ? flags : "");
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, revive(member)]));
}
