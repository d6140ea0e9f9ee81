import path from "node:path";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { CallToolResult, Tool, ToolAnnotations } from "@modelcontextprotocol/sdk/types.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from "@modelcontextprotocol/sdk/types.js";
import type { ClientCall } from "./client.ts";
import { toolTexts } from "./tool-texts.ts";

export interface McpServerDeps {
  /** Of this extension. */
  readonly version: string;
  /** Absolute path of the folder that the server was started in. */
  readonly folder: string;
  /** Has an open window run a tool; rejects with an `Error` whose message says what to do. */
  readonly call: (call: ClientCall, signal: AbortSignal) => Promise<unknown>;
}

const instructions =
  "Queue commits, merges and pushes with batchControl_enqueueGit and requests that can wait with batchControl_enqueueRequests; batchControl_flush executes what is queued. The tools work while a trusted window of the editor with Batch Control is open.";

/** What a client may know of a tool before it lets a model use it. To queue takes nothing away from anybody. */
const annotations: Readonly<Record<string, ToolAnnotations>> = {
  batchControl_enqueueGit: { destructiveHint: false },
  batchControl_enqueueRequests: { destructiveHint: false },
  batchControl_flush: { openWorldHint: true },
  batchControl_state: { readOnlyHint: true, openWorldHint: false },
};

const tools: Tool[] = toolTexts.map((text) => ({ ...text, annotations: annotations[text.name] }));

/**
 * An MCP server whose tools run in an open window, which is looked for anew at every call. A refusal comes back as the tool's
 * result, for the model to read; a tool that does not exist is the client's mistake and an error of the protocol.
 */
export function mcpServer({ version, folder, call }: McpServerDeps) {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- what replaces it takes zod schemas only; the tools' are JSON schema, as the editor needs it
  const server = new Server(
    { name: "batch-control", title: "Batch Control", version },
    { capabilities: { tools: {} }, instructions },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }): Promise<CallToolResult> => {
    const { name, arguments: input = {} } = params;
    if (!tools.some((tool) => tool.name === name)) {
      throw new McpError(ErrorCode.InvalidParams, `There is no tool ${JSON.stringify(name)}.`);
    }
    try {
      const answer = await call({ tool: name, input, worktree: placeOf(input, folder) }, signal);
      return { content: [{ type: "text", text: JSON.stringify(answer) }] };
    } catch (error) {
      // Of a call that was cancelled nobody reads an answer.
      const message = error instanceof Error ? error.message : String(error);
      return { isError: true, content: [{ type: "text", text: message }] };
    }
  });
  return server;
}

/** The folder whose window a call is for. A relative path is refused by whichever window is asked. */
function placeOf({ worktree }: Readonly<Record<string, unknown>>, folder: string): string {
  return typeof worktree === "string" && path.isAbsolute(worktree) ? worktree : folder;
}
