import type { Clock } from "../core/ports.ts";
import type { GitRoom } from "../git/index.ts";
import { previewCost } from "../llm/index.ts";
import type { LlmRoom, LlmSettings } from "../llm/index.ts";
import type { Preview } from "./parts.ts";

interface Rooms {
  readonly gitRoom: Pick<GitRoom, "preview">;
  readonly llmRoom: Pick<LlmRoom, "provider" | "sealLimits">;
}

/** What both rooms foresee. */
export function previewOf({ gitRoom, llmRoom }: Rooms, settings: () => LlmSettings, clock: Clock): Preview {
  return {
    git: (queued) => gitRoom.preview(queued),
    cost: (queued) => previewCost(queued, { provider: llmRoom.provider, settings, now: () => clock.now() }),
    limits: (group) => llmRoom.sealLimits(group),
  };
}
