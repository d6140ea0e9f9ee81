import { commands } from "vscode";
import type { Disposable } from "vscode";
import { callOf } from "./caller.ts";
import { commandPrefix } from "./command.ts";
import type { CommandName, CommandTable } from "./command.ts";
import { runCommand } from "./funnel.ts";
import type { FunnelDeps } from "./funnel.ts";

/** Makes every command of the table known to the editor, each inside the funnel. */
export function registerCommands(table: CommandTable, deps: FunnelDeps): readonly Disposable[] {
  return (Object.keys(table) as CommandName[]).map((name) =>
    commands.registerCommand(commandPrefix + name, (...args: unknown[]) =>
      runCommand(name, table[name], callOf(args), deps),
    ),
  );
}
