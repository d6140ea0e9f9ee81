import { request } from "node:http";
import * as v from "valibot";
import { agentError, AgentError } from "./agent-error.ts";
import type { WindowEntry } from "./window-file.ts";

/** A request to the endpoint of a window. */
export interface Asked {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** JSON data. */
  readonly body?: unknown;
}

const failure = v.object({
  error: v.object({
    message: v.string(),
    name: v.string(),
    field: v.optional(v.string()),
    reason: v.optional(v.string()),
  }),
});

interface Answer {
  readonly status: number;
  readonly text: string;
}

/**
 * What a window answers. Rejects with `AgentError` where it refuses or answers something else, with the system's error where
 * it cannot be reached or goes away, and with an `AbortError` where `signal` ends it.
 */
export async function ask(window: WindowEntry, asked: Asked, signal: AbortSignal): Promise<unknown> {
  const { status, text } = await exchange(window, asked, signal);
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson()), text);
  if (parsed.success && status === 200) return parsed.output;
  const refused = v.safeParse(failure, parsed.output);
  if (refused.success) throw new AgentError(refused.output.error);
  throw agentError(
    "bad-answer",
    "The window answered something that is not understood here; both must be of one version.",
  );
}

function exchange(window: WindowEntry, { method, path, body }: Asked, signal: AbortSignal): Promise<Answer> {
  const text = body === undefined ? "" : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        socketPath: window.address,
        method,
        path,
        // An answer may take as long as a provider's batch.
        agent: false,
        signal,
        headers: {
          host: "window",
          authorization: `Bearer ${window.token}`,
          "content-type": "application/json; charset=utf-8",
          "content-length": Buffer.byteLength(text),
        },
      },
      (incoming) => {
        let said = "";
        incoming.setEncoding("utf8");
        incoming.on("data", (piece: string) => (said += piece));
        incoming.on("error", reject);
        incoming.on("end", () => resolve({ status: incoming.statusCode ?? 0, text: said }));
      },
    );
    outgoing.on("error", reject);
    outgoing.end(text);
  });
}
