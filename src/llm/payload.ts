import * as v from "valibot";
import type { StoredOperation } from "../core/operation.ts";
import { parseInput } from "../core/schema/inputs.ts";

/**
 * What is stored of a request: the provider's parameters once, and beside them only the fields of the input that they do
 * not hold. The input is worked out of both, so that a large prompt is not stored twice.
 */
const storedRequest = v.object({
  provider: v.picklist(["anthropic", "openai"]),
  model: v.string(),
  endpoint: v.string(),
  betas: v.array(v.string()),
  params: v.record(v.string(), v.unknown()),
  /** The input had `prompt`, not `messages`. */
  fromPrompt: v.boolean(),
  /** Fields of the input that `params` does not hold. */
  rest: v.object({
    id: v.optional(v.string()),
    type: v.string(),
    maxTokens: v.optional(v.number()),
    provider: v.optional(v.picklist(["anthropic", "openai"])),
    endpoint: v.optional(v.string()),
    urgency: v.optional(v.picklist(["batch", "soon", "now"])),
    metadata: v.optional(v.record(v.string(), v.unknown())),
  }),
});

export type StoredRequest = v.InferOutput<typeof storedRequest>;

export const readPayload = (operation: Pick<StoredOperation, "payload">): StoredRequest =>
  parseInput(storedRequest, JSON.parse(operation.payload) as unknown, "payload");
