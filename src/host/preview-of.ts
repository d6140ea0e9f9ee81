import type { GitRoom } from "../git/index.ts";
import type { LlmRoom } from "../llm/index.ts";
import type { Preview } from "./parts.ts";

interface Rooms {
  readonly gitRoom: Pick<GitRoom, "preview">;
  readonly llmRoom: Pick<LlmRoom, "previewCost" | "sealLimits" | "providerWithoutKey">;
}

/** What both rooms foresee. */
export function previewOf({ gitRoom, llmRoom }: Rooms): Preview {
  return {
    git: (queued) => gitRoom.preview(queued),
    cost: (queued, by) => llmRoom.previewCost(queued, by),
    limits: (group) => llmRoom.sealLimits(group),
    providerWithoutKey: (group) => llmRoom.providerWithoutKey(group),
  };
}
