import type { Command } from "./command.ts";

export const PROGRAM = "batch-control";

export const usageLine = ({ usage }: Command): string => `Usage: ${PROGRAM} ${usage}`;

export const helpOf = (command: Command): string =>
  `${usageLine(command)}

${command.about}

  -C <folder>     as if started there
  --json          one JSON document for programs`;

export function helpOfAll(commands: Readonly<Record<string, Command>>): string {
  const lines = Object.values(commands).map(({ usage }) => `  ${PROGRAM} ${usage}`);
  return `Queues commits, merges, pushes and requests to language models in the VS Code window that has this folder open, where
Batch Control executes them together.

${lines.join("\n")}

${PROGRAM} mcp is the same for agents: an MCP server on standard input and output.

${PROGRAM} help <command> tells more of one. All take -C <folder> and --json. The exit code is 0 only when what was asked
for has happened, 1 where it has not, 2 where the command line is wrong, 130 after Ctrl+C.`;
}
