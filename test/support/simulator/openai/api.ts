import { json } from "../http.ts";
import type { Call, Reply } from "../http.ts";
import type { ServerBatch } from "../simulator.ts";
import type { World } from "../world.ts";

/** The OpenAI side of the simulator. */
export class OpenaiApi {
  readonly batches = {
    views: (): readonly ServerBatch[] => [],
    end: (_id: string): Promise<boolean> => Promise.resolve(false),
    expireOverdue: (): Promise<void> => Promise.resolve(),
  };
  private readonly world: World;
  constructor(world: World) {
    this.world = world;
  }
  limit(_path: string): number {
    return this.world.batchBytes(512_000_000);
  }
  tooLarge(_requestId: string): Reply {
    return json({}, 413);
  }
  handle(_call: Call): Promise<Reply> {
    return Promise.resolve(json({}, 404));
  }
  close(): Promise<void> {
    return Promise.resolve();
  }
}
