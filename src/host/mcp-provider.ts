import { l10n, lm, McpStdioServerDefinition, workspace } from "vscode";
import type { Disposable, McpServerDefinitionProvider } from "vscode";
import { untrusted } from "./commands/funnel.ts";

/** As the manifest has it. */
const ID = "batchControl.mcp";

export interface McpProviderDeps {
  /** The program of the server, as a file. */
  readonly program: string;
  /** Of the extension: when it changes, the editor asks for the tools anew. */
  readonly version: string;
  /** This window's name among those that the program finds. */
  readonly window: string;
  readonly isTrusted: () => boolean;
}

/** Offers the MCP server to the editor, where that knows such servers. It is started when the editor wants it, not before. */
export function registerMcpProvider(deps: McpProviderDeps): readonly Disposable[] {
  // Some editors built on this one lack it.
  if (typeof (lm as Partial<typeof lm> | undefined)?.registerMcpServerDefinitionProvider !== "function")
    return [];
  return [lm.registerMcpServerDefinitionProvider(ID, mcpProvider(deps))];
}

/** Exported for tests: the editor does not tell what it was provided with. */
export function mcpProvider({
  program,
  version,
  window,
  isTrusted,
}: McpProviderDeps): McpServerDefinitionProvider<McpStdioServerDefinition> {
  return {
    provideMcpServerDefinitions: () => {
      const server = new McpStdioServerDefinition(
        "Batch Control",
        process.execPath,
        [program],
        // The editor's program is an Electron, on a remote machine Node itself.
        { ELECTRON_RUN_AS_NODE: "1", BATCH_CONTROL_WINDOW: window },
        version,
      );
      // Calls that name no worktree are about the one that is open here.
      const folder = workspace.workspaceFolders?.find(({ uri }) => uri.scheme === "file");
      if (folder) server.cwd = folder.uri;
      return [server];
    },
    resolveMcpServerDefinition: (server) => {
      if (!isTrusted()) throw untrusted(l10n.t);
      return server;
    },
  };
}
