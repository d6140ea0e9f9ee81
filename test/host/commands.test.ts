import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { BatchControlApi } from "../../src/host/api.ts";

/** Beside the workbench's end-to-end tests: what only another extension in the same host can see. */
describe("What another extension gets", () => {
  let api: BatchControlApi;
  const state = (): ReturnType<BatchControlApi["getState"]> => api.getState();
  const folder = (): string => vscode.workspace.workspaceFolders![0]!.uri.fsPath;

  before(async () => {
    api = await vscode.extensions.getExtension<BatchControlApi>("batch-control.batch-control")!.activate();
    await api.git.pause();
  });

  after(async () => {
    await api.git.clear();
    await api.git.resume();
  });

  it("is version 1 of the interface", () => {
    assert.equal(api.version, 1);
    assert.equal(state().git.queuedCount, 0);
  });

  it("hears of each change with the whole state", async () => {
    const heard = new Promise<number>((resolve) => {
      const subscription = api.onDidChangeState((snapshot) => {
        if (snapshot.git.queuedCount === 0) return;
        subscription.dispose();
        resolve(snapshot.git.queuedCount);
      });
    });
    await api.git.enqueue({ kind: "push", worktree: folder(), branch: "main" });
    assert.equal(await heard, 1);
    assert.equal(api.git.queueSize(), 1);
  });

  it("gets the result of what it queued, when that is final", async () => {
    const { id, result } = await api.git.enqueue({ kind: "push", worktree: folder(), branch: "main" });
    await vscode.commands.executeCommand("batchControl.cancelOperation", { id });
    assert.equal((await result).status, "cancelled");
    assert.equal((await api.resultOf(id)).status, "cancelled");
  });

  it("may queue and flush, but not move a batch on", async () => {
    const [batch] = await api.git.flush();
    assert.ok(batch);
    await assert.rejects(api.git.markBatchCompleted(batch.id), /owned by the runner/);
    assert.equal(typeof batch.getInfo().operationCount, "number");
  });

  it("gets the very error of a refused command, with the field as data", async () => {
    const input = { worktree: folder(), branch: "no such" };
    const refused = Promise.resolve(vscode.commands.executeCommand("batchControl.enqueuePush", input));
    await assert.rejects(refused, (error: Error & { field?: string }) => error.field === "branch");
    await assert.rejects(api.git.enqueue({ kind: "commit", worktree: folder() }), /message/);
    await assert.rejects(api.llm.enqueue({ type: "judge", prompt: "x" }), /model/);
  });
});
