import assert from "node:assert/strict";
import path from "node:path";
import type { Snapshot } from "../../src/core/snapshot.ts";
import { McpSession } from "../support/agents/mcp-session.ts";
import { git } from "../support/sample.ts";
import { useSampleWorkbench } from "../support/workbench/fixtures.ts";
import { listening, useHome } from "../support/workbench/home-folder.ts";
import type { WorkbenchWindow } from "../support/workbench/window.ts";

/** A program that was installed with the extension. */
async function programIn(window: WorkbenchWindow, name: string): Promise<string> {
  const folder = await window.bridge.evaluate(
    ({ vscode }) => vscode.extensions.getExtension("batch-control.batch-control")!.extensionPath,
  );
  return path.join(folder, "dist", name);
}

describe("The MCP server", () => {
  const env = useHome();
  const fixture = useSampleWorkbench({ env, settings: { "chat.disableAIFeatures": false } });
  let window: WorkbenchWindow;

  before(async () => {
    window = await fixture.workbench.open(fixture.sample.workspace);
    await window.bridge.command("batchControl.pause", {});
    await listening(env);
  });

  it("lets an agent outside of the editor queue a commit and have it made", async () => {
    const { path: worktree, files, branch } = fixture.sample.worktrees[0]!;
    const args = [await programIn(window, "mcp.cjs")];
    const session = await McpSession.start({ args, folder: worktree, env });
    try {
      const queued = await session.call("batchControl_enqueueGit", {
        kind: "commit",
        worktree,
        message: "By an agent\n\nIt says $(why).",
        files: [files[0]!],
      });
      assert.equal(queued.refused, false, queued.text);
      const { id, status } = JSON.parse(queued.text) as { id: string; status: string };
      assert.equal(status, "queued");
      const state = await window.bridge.command<Snapshot>("batchControl.getState", {});
      assert.deepEqual(
        state.git.queued.map((operation) => [operation.id, operation.source]),
        [[id, "mcp"]],
      );
      const flushed = await session.call("batchControl_flush", { kind: "git", wait: true });
      const { outcomes } = JSON.parse(flushed.text) as { outcomes: unknown };
      assert.deepEqual(outcomes, { [id]: "succeeded" });
      const made = await git(fixture.sample.clone, "log", "-1", "--format=%B", "--name-only", branch);
      assert.equal(made, `By an agent\n\nIt says $(why).\n\n\n${files[0]!}`);
      const missing = await session.call("batchControl_enqueueGit", {
        kind: "commit",
        worktree,
        message: "m",
        files: ["-rf"],
      });
      assert.equal(missing.refused, true);
      assert.match(missing.text, /^files.*-rf/);
    } finally {
      await session.close();
    }
  });

  it("is known to the editor, which starts it for its own models", async () => {
    const started = await window.bridge.evaluate(async ({ vscode }) => {
      await vscode.commands.executeCommand("workbench.mcp.startServer", "*", { waitForLiveTools: true });
      return vscode.lm.tools.map(({ name }) => name).filter((name) => name.startsWith("mcp_"));
    });
    assert.deepEqual(started.sort(), [
      "mcp_batch_control_batchControl_enqueueGit",
      "mcp_batch_control_batchControl_enqueueRequests",
      "mcp_batch_control_batchControl_flush",
      "mcp_batch_control_batchControl_state",
    ]);
    const told = await window.bridge.evaluate(async ({ vscode }) => {
      const { content } = await vscode.lm.invokeTool("mcp_batch_control_batchControl_state", {
        input: {},
        toolInvocationToken: undefined,
      });
      return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : "")).join("");
    });
    const { git: side } = JSON.parse(told) as Snapshot;
    const { git: seen } = await window.bridge.command<Snapshot>("batchControl.getState", {});
    assert.deepEqual([side.queuedCount, side.stats], [seen.queuedCount, seen.stats]);
  });
});

describe("The MCP server in a workspace that is not trusted", () => {
  const env = useHome();
  const fixture = useSampleWorkbench({ trusted: false, env });

  it("queues nothing, and says why", async () => {
    const window = await fixture.workbench.open(fixture.sample.workspace);
    await listening(env);
    const { path: worktree, files } = fixture.sample.worktrees[0]!;
    const args = [await programIn(window, "cli.cjs"), "mcp"];
    const session = await McpSession.start({ args, folder: worktree, env });
    try {
      const commit = { kind: "commit", worktree, message: "m", files: [...files] };
      const { text, refused } = await session.call("batchControl_enqueueGit", commit);
      assert.equal(refused, true);
      assert.match(text, /not trusted/);
    } finally {
      await session.close();
    }
    const { git: side } = await window.bridge.command<Snapshot>("batchControl.getState", {});
    assert.equal(side.queuedCount, 0);
  });
});
