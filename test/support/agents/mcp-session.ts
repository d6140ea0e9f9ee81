import process from "node:process";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

interface SessionOptions {
  /** Arguments of Node: the program and its own. */
  readonly args: readonly string[];
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** What a tool said: its text, and whether that is a refusal. */
export interface Said {
  readonly text: string;
  readonly refused: boolean;
}

/** An MCP client with a server process of its own. */
export class McpSession {
  readonly client: Client;
  readonly transport: StdioClientTransport;
  #complaints = "";

  private constructor(client: Client, transport: StdioClientTransport) {
    this.client = client;
    this.transport = transport;
    transport.stderr?.on("data", (piece: Buffer) => (this.#complaints += piece.toString()));
  }

  static async start({ args, folder, env }: SessionOptions): Promise<McpSession> {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [...args],
      cwd: folder,
      env,
      stderr: "pipe",
    });
    const session = new McpSession(new Client({ name: "a-test", version: "1.0.0" }), transport);
    await session.client.connect(transport);
    return session;
  }

  /** What the server wrote to its standard error. */
  get complaints(): string {
    return this.#complaints;
  }

  /** Rejects with what the protocol calls an error. */
  async call(name: string, input?: Record<string, unknown>, signal?: AbortSignal): Promise<Said> {
    const { content, isError } = await this.client.callTool(
      { name, ...(input ? { arguments: input } : {}) },
      undefined,
      signal ? { signal } : {},
    );
    const [first, ...more] = content as { type: string; text: string }[];
    if (first?.type !== "text" || more.length > 0) throw new Error("The answer is not one text.");
    return { text: first.text, refused: isError === true };
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
