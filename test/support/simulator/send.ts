import type { ServerResponse } from "node:http";
import type { PartFault } from "./faults.ts";
import type { Reply } from "./http.ts";
import { applyPartFaults, ConnectionDrop } from "./parts.ts";

/** Sends a reply; parts are spoiled as the faults say. */
export async function send(
  response: ServerResponse,
  reply: Reply,
  faults: readonly PartFault[],
): Promise<void> {
  if (reply.kind === "json") {
    const text = typeof reply.value === "string" ? reply.value : JSON.stringify(reply.value ?? null);
    response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
    response.end(text);
    return;
  }
  response.writeHead(reply.status, reply.headers);
  try {
    for await (const bytes of applyPartFaults(reply.parts, faults)) {
      if (response.destroyed) return;
      await write(response, bytes);
    }
    response.end();
  } catch (error) {
    response.destroy();
    if (!(error instanceof ConnectionDrop)) throw error;
  }
}

/** Resolves when the bytes have left, so that a drop afterwards loses none of them. */
function write(response: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off("close", done);
      resolve();
    };
    response.once("close", done);
    response.write(bytes, done);
  });
}
