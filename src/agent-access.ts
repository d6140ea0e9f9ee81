import path from "node:path";
import process from "node:process";
import { AgentEndpoint } from "./agents/endpoint.ts";
import { writeLaunchers } from "./agents/launcher.ts";
import { userFolder } from "./agents/window-file.ts";
import { InputError } from "./core/errors.ts";
import type { Logger } from "./core/ports.ts";
import type { GitRoom } from "./git/index.ts";
import { registerMcpProvider } from "./host/mcp-provider.ts";
import { equipTerminals } from "./host/terminals.ts";
import type { Tool } from "./host/tools/tool.ts";
import type { Runner } from "./runner/runner.ts";

export interface AgentAccessDeps {
  /** The environment of this window's terminals. */
  readonly variables: Parameters<typeof equipTerminals>[0];
  readonly extension: {
    /** Where it lies. */
    readonly extensionPath: string;
    readonly packageJSON: { readonly version: string };
  };
  /** The extension's own folder. */
  readonly storage: string;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly isTrusted: () => boolean;
  readonly gitRoom: Pick<GitRoom, "laneAt">;
  readonly runner: Pick<Runner, "mayClaim">;
  readonly log: Logger;
}

/**
 * How programs outside of the editor reach this window: the command line in its terminals, the MCP server for its language
 * models, and the endpoint that both ask.
 */
export function openAgentAccess(deps: AgentAccessDeps): { dispose(): Promise<void> } {
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
  const programAt = (name: string): string => path.join(extension.extensionPath, "dist", name);
  const provided = registerMcpProvider({
    program: programAt("mcp.cjs"),
    version: extension.packageJSON.version,
    window: endpoint.window,
    isTrusted,
  });
  // The window need not wait for either: it is busy with its start, and nobody can ask it yet.
  setImmediate(() => {
    void endpoint.open();
    writeLaunchers({ folder: bin, node: process.execPath, program: programAt("cli.cjs") }).catch(
      (error: unknown) => log.error("The command line cannot be put in place.", error),
    );
  });
  return {
    dispose: () => {
      for (const each of provided) each.dispose();
      return endpoint.dispose();
    },
  };
}
