// The MCP server that talks on standard input and output. Bundled by itself; any MCP client can start it.
import process from "node:process";
import { parseArgs } from "node:util";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { WindowClient } from "./client.ts";
import { mcpServer } from "./mcp-server.ts";
import { ownVersion } from "./own-version.ts";
import { userFolder } from "./window-file.ts";

const help = `The MCP server of Batch Control. An MCP client starts it and talks to it on standard input and output; it hands on
what is asked to an open window of the editor.

  --help     this text
  --version  the version
`;
/** A message holds what an open window takes, and its envelope. */
const MAX_MESSAGE = 65 * 1024 * 1024;
const { argv, env, stdin, stdout, stderr } = process;
/** As `batch-control mcp` it is given its own name, too. */
const args = argv.slice(argv[2] === "mcp" ? 3 : 2);
const version = (): string => ownVersion(argv[1] ?? "");

function serve(): Promise<void> {
  const windows = new WindowClient({
    userFolder: userFolder(),
    preferred: env["BATCH_CONTROL_WINDOW"],
    source: "mcp",
  });
  const server = mcpServer({
    version: version(),
    folder: process.cwd(),
    call: (call, signal) => windows.call(call, signal),
  });
  // Of an error only the kind: its message quotes what could not be read.
  server.onerror = ({ name }) => stderr.write(`A message was not understood (${name}).\n`);
  // Calls under way are broken off with it, and then nothing is left to do.
  const close = (): void => void server.close();
  stdin.once("end", close);
  stdout.on("error", close);
  return server.connect(new StdioServerTransport(stdin, stdout, { maxBufferSize: MAX_MESSAGE }));
}

function main(): void {
  try {
    const { values } = parseArgs({
      args,
      options: { help: { type: "boolean", short: "h" }, version: { type: "boolean" } },
    });
    if (values.help) stdout.write(help);
    else if (values.version) stdout.write(`${version()}\n`);
    else void serve();
  } catch (error) {
    stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  }
}

main();
