import type { Clock } from "../core/ports.ts";
import { exportResults, offeredModels, previewCost, readRequests } from "../llm/index.ts";
import type { LlmRoom, LlmSettings } from "../llm/index.ts";
import type { RequestTools } from "./parts.ts";

/** Nothing is queued under it: requests are only looked at. */
const LOOKING = { id: "", source: "person", interactive: false } as const;

/** What the host does with LLM requests besides queueing them. */
export function requestTools(
  room: Pick<LlmRoom, "acceptor" | "provider">,
  settings: () => Pick<LlmSettings, "prices">,
  clock: Pick<Clock, "now">,
): RequestTools {
  const draft = (input: Parameters<RequestTools["check"]>[0]) => room.acceptor.accept(input, LOOKING);
  return {
    check: async (input) => {
      await draft(input);
    },
    read: (source) => readRequests(source, { provider: room.provider, check: draft }),
    models: () => offeredModels(settings().prices, clock.now()),
    write: (results) => exportResults(results, room.provider),
    estimate: (inputs) => {
      async function* drafts() {
        for (const input of inputs) {
          const { payload, group } = await draft(input);
          yield { payload: JSON.stringify(payload), group };
        }
      }
      return previewCost(drafts(), { settings, now: () => clock.now() });
    },
  };
}
