import path from "node:path";
import process from "node:process";
import { AgentEndpoint } from "./agents/endpoint.ts";
import { writeLaunchers } from "./agents/launcher.ts";
import { userFolder } from "./agents/window-file.ts";
import { InputError } from "./core/errors.ts";
import type { Logger } from "./core/ports.ts";
import type { GitRoom } from "./git/index.ts";
import { equipTerminals } from "./host/terminals.ts";
import type { Tool } from "./host/tools/tool.ts";
import type { Runner } from "./runner/runner.ts";

export interface AgentAccessDeps {
  /** The environment of this window's terminals. */
  readonly variables: Parameters<typeof equipTerminals>[0];
  /** Where the extension lies. */
  readonly extension: string;
  /** The extension's own folder. */
  readonly storage: string;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly isTrusted: () => boolean;
  readonly gitRoom: Pick<GitRoom, "laneAt">;
  readonly runner: Pick<Runner, "mayClaim">;
  readonly log: Logger;
}

/** How programs outside of the editor reach this window: the command line in its terminals, and the endpoint it asks. */
export function openAgentAccess(deps: AgentAccessDeps): AgentEndpoint {
  const { variables, extension, storage, tools, isTrusted, gitRoom, runner, log } = deps;
  const endpoint = new AgentEndpoint({
    userFolder: userFolder(),
    isTrusted,
    mayExecute: async (worktree) => {
      const lane = await gitRoom.laneAt(worktree);
      return lane !== undefined && runner.mayClaim(lane);
    },
    run: ({ tool, input, source }, signal) => {
      const found = tools.get(tool);
      if (!found) return Promise.reject(new InputError("tool", `There is no tool ${tool}.`));
      return found.run(input, source, signal);
    },
    log,
  });
  const bin = path.join(storage, "bin");
  equipTerminals(variables, { bin, window: endpoint.window });
  // The window need not wait for either: it is busy with its start, and nobody can ask it yet.
  setImmediate(() => {
    const program = path.join(extension, "dist", "cli.cjs");
    void endpoint.open();
    writeLaunchers({ folder: bin, node: process.execPath, program }).catch((error: unknown) =>
      log.error("The command line cannot be put in place.", error),
    );
  });
  return endpoint;
}
