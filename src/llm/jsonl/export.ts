import type { StoredOperation } from "../../core/operation.ts";
import type { Result } from "../../core/result.ts";
import { readPayload } from "../payload.ts";
import type { LlmProvider, ProviderName } from "../provider.ts";

export interface Exported {
  readonly operation: Pick<StoredOperation, "id" | "payload">;
  readonly result: Result;
}

/**
 * One line per result in the provider's own shape, under the user's id where there is one, and what only we know beside it
 * under `batch_control`.
 */
export async function* exportResults(
  results: AsyncIterable<Exported>,
  provider: (name: ProviderName) => Pick<LlmProvider, "exportResult">,
): AsyncGenerator<string> {
  for await (const { operation, result } of results) {
    const { rest, provider: name } = readPayload(operation);
    const line = {
      custom_id: rest.id ?? operation.id,
      ...provider(name).exportResult(result),
      batch_control: {
        request_id: operation.id,
        cost_usd: result.costUsd ?? null,
        duration_ms: result.durationMs ?? null,
      },
    };
    yield `${JSON.stringify(line)}\n`;
  }
}
