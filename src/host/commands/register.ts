import { commands } from "vscode";
import type { Disposable } from "vscode";
import { QueueNode } from "../tree/node.ts";
import { callOf } from "./caller.ts";
import { commandPrefix } from "./command.ts";
import type { CommandName, CommandTable } from "./command.ts";
import { runCommand } from "./funnel.ts";
import type { FunnelDeps } from "./funnel.ts";

/** They see to the focus themselves: one puts it on what it brings, the other leaves the rows where they are pointed at. */
const elsewhere: readonly CommandName[] = ["showMore", "cancelRow"];

/** Makes every command of the table known to the editor, each inside the funnel. `onRow` surrounds what was chosen on a row. */
export function registerCommands(
  table: CommandTable,
  deps: FunnelDeps,
  onRow: (row: QueueNode, run: () => Promise<unknown>) => Promise<unknown>,
): readonly Disposable[] {
  return (Object.keys(table) as CommandName[]).map((name) =>
    commands.registerCommand(commandPrefix + name, (...args: unknown[]) => {
      const run = () => runCommand(name, table[name], callOf(args), deps);
      const [row] = args;
      return row instanceof QueueNode && !elsewhere.includes(name) ? onRow(row, run) : run();
    }),
  );
}
