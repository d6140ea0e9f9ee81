import assert from "node:assert/strict";
import { git, receivedPushes } from "../support/sample.ts";
import { useDemoWorkbench } from "../support/workbench/fixtures.ts";
import { HostError } from "../support/workbench/bridge.ts";
import { until } from "../support/workbench/until.ts";
import type { WorkbenchWindow } from "../support/workbench/window.ts";

describe("Tools for language models", () => {
  const fixture = useDemoWorkbench();
  let window: WorkbenchWindow;

  /** As an extension with a model calls a tool; what the model would be told. */
  const call = async <Answer>(name: string, input: object): Promise<Answer> => {
    const text = await window.bridge.evaluate(
      async ({ vscode }, asked) => {
        const result = await vscode.lm.invokeTool(asked.name, {
          input: asked.input,
          toolInvocationToken: undefined,
        });
        return result.content
          .map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ""))
          .join("");
      },
      { name: `batchControl_${name}`, input },
    );
    return JSON.parse(text) as Answer;
  };

  const press = async (question: string, button: string): Promise<void> => {
    const { notifications } = window;
    await until(`the question "${question}"`, async () => (await notifications.dialog()).includes(question));
    await notifications.pressInDialog(button);
  };

  /** The same, where the editor asks a person first. */
  const agreedTo = async <Answer>(question: string, name: string, input: object): Promise<Answer> => {
    const answer = call<Answer>(name, input);
    // It may reject before it is waited for.
    answer.catch(() => undefined);
    await press(question, "Yes");
    return answer;
  };

  before(async () => {
    window = await fixture.workbench.open(fixture.sample.workspace);
    await window.openViewContainer("Batch Control");
  });

  it("are there for every model, with what they take", async () => {
    const known = await window.bridge.evaluate(({ vscode }) =>
      vscode.lm.tools
        .filter(({ name }) => name.startsWith("batchControl_"))
        .map(({ name, inputSchema }) => [
          name,
          Object.keys((inputSchema as { properties: object }).properties),
        ]),
    );
    assert.deepEqual(known.map(([name]) => name).sort(), [
      "batchControl_enqueueGit",
      "batchControl_enqueueRequests",
      "batchControl_flush",
      "batchControl_state",
    ]);
  });

  it("queue a commit and a push of a worktree, and a flush brings them to the remote", async () => {
    const { path: worktree, branch, files } = fixture.sample.worktrees[0]!;
    const commit = { kind: "commit", worktree, message: "From a model", files };
    const { id } = await agreedTo<{ id: string }>("Queue this commit?", "enqueueGit", commit);
    await window.view("Queue").waitForRow("From a model");
    await agreedTo("Queue this push?", "enqueueGit", { kind: "push", worktree, branch });
    const flushed = await agreedTo<{ outcomes: Record<string, string>; failed: unknown[] }>(
      "Execute what is queued now?",
      "flush",
      { kind: "git", wait: true },
    );
    assert.equal(flushed.outcomes[id], "succeeded");
    assert.deepEqual(flushed.failed, []);
    assert.equal(await git(fixture.sample.remote, "log", "-1", "--format=%s", branch), "From a model");
    assert.equal((await receivedPushes(fixture.sample)).length, 1);
    const { operations } = await call<{ operations: { source: string; result: { commit: string } }[] }>(
      "state",
      { ids: [id] },
    );
    assert.equal(operations[0]?.source, "tool");
    assert.equal(operations[0].result.commit, await git(fixture.sample.remote, "rev-parse", branch));
  });

  it("queue requests, and tell the answers once they are there", async () => {
    const one = { type: "judge", model: "claude-haiku-4-5" };
    const requests = [
      { ...one, prompt: "Is this a test?" },
      { ...one, prompt: "Is this another?" },
    ];
    const { ids } = await agreedTo<{ ids: string[] }>("Queue these requests?", "enqueueRequests", {
      requests,
    });
    await agreedTo("Execute what is queued now?", "flush", { kind: "llm" });
    const { operations } = await call<{ operations: { id: string; result: { text: string } }[] }>("state", {
      ids,
      wait: true,
    });
    assert.deepEqual(
      operations.map(({ id }) => id),
      ids,
    );
    for (const { result } of operations) assert.ok(result.text);
  });

  it("hide nothing of what they would do, whatever the model writes", async () => {
    const { path: worktree } = fixture.sample.worktrees[1]!;
    const input = { kind: "merge", message: "Tidy <!-- <b hidden \u001b[8m", source: "main", push: true };
    const answer = call("enqueueGit", { ...input, target: "release", worktree });
    answer.catch(() => undefined);
    const { notifications } = window;
    await until("the question", async () => (await notifications.dialog()).includes("Queue this merge?"));
    const shown = await notifications.dialog();
    for (const text of [worktree, "source: main", "target: release", "push: true"])
      assert.ok(shown.includes(text), `${text} in ${shown}`);
    assert.ok(shown.includes("Tidy <!-- <b hidden <U+001B>"), shown);
    await notifications.pressInDialog("Cancel");
    await assert.rejects(answer);
  });

  it("do nothing where the person does not agree", async () => {
    const { path: worktree } = fixture.sample.worktrees[1]!;
    const answer = call("enqueueGit", { kind: "commit", worktree, message: "Not this one" });
    const refused = assert.rejects(
      answer,
      (error) => error instanceof HostError && /cancel/i.test(error.name + error.message),
    );
    await press("Queue this commit?", "Cancel");
    await refused;
    const { git: side } = await call<{ git: { queuedCount: number } }>("state", {});
    assert.equal(side.queuedCount, 0);
  });

  it("tell the model what is wrong with what it asked for", async () => {
    const { path: worktree } = fixture.sample.worktrees[1]!;
    const input = { kind: "push", worktree, branch: "no-such-branch" };
    const answer = agreedTo("Queue this push?", "enqueueGit", input);
    await assert.rejects(answer, /branch: .*no-such-branch/);
  });
});
