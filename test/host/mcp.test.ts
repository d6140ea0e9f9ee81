import assert from "node:assert/strict";
import path from "node:path";
import process from "node:process";
import * as vscode from "vscode";
import { mcpProvider } from "../../src/host/mcp-provider.ts";

interface Manifest {
  readonly version: string;
  readonly contributes: { readonly mcpServerDefinitionProviders: readonly { readonly id: string }[] };
}

describe("The MCP server that the editor is offered", () => {
  const extension = vscode.extensions.getExtension<unknown>("batch-control.batch-control")!;
  const { token } = new vscode.CancellationTokenSource();
  const definitions = async (isTrusted: () => boolean) => {
    const provider = mcpProvider({ program: "/x/mcp.cjs", version: "1.2.3", window: "a-window", isTrusted });
    return { provider, servers: (await provider.provideMcpServerDefinitions(token)) ?? [] };
  };

  it("has its place in the manifest, and the editor took it", async () => {
    await extension.activate();
    const manifest = extension.packageJSON as Manifest;
    assert.deepEqual(
      manifest.contributes.mcpServerDefinitionProviders.map(({ id }) => id),
      ["batchControl.mcp"],
    );
  });

  it("is one program that the editor's own Node runs, told which window it belongs to", async () => {
    // Not even trust is asked for before somebody wants it started.
    const { servers } = await definitions(() => assert.fail("asked for trust"));
    const [server] = servers;
    assert.equal(servers.length, 1);
    assert.ok(server instanceof vscode.McpStdioServerDefinition);
    assert.deepEqual(
      [server.label, server.command, server.args, server.version],
      ["Batch Control", process.execPath, ["/x/mcp.cjs"], "1.2.3"],
    );
    assert.deepEqual(server.env, { ELECTRON_RUN_AS_NODE: "1", BATCH_CONTROL_WINDOW: "a-window" });
    assert.equal(server.cwd?.fsPath, vscode.workspace.workspaceFolders?.[0]?.uri.fsPath);
    assert.ok(path.isAbsolute(server.cwd?.fsPath ?? ""));
  });

  it("is not started in a workspace that is not trusted", async () => {
    let trusted = false;
    const { provider, servers } = await definitions(() => trusted);
    const start = () => provider.resolveMcpServerDefinition!(servers[0]!, token);
    assert.throws(start, /not trusted.*Grant workspace trust/);
    trusted = true;
    assert.equal(start(), servers[0]);
  });
});
