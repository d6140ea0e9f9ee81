import assert from "node:assert/strict";
import type { Snapshot } from "../../src/core/snapshot.ts";
import { git } from "../support/sample.ts";
import { useDemoWorkbench } from "../support/workbench/fixtures.ts";
import { until } from "../support/workbench/until.ts";
import type { WorkbenchWindow } from "../support/workbench/window.ts";

interface Git {
  readonly repositories: readonly {
    readonly rootUri: { readonly fsPath: string };
    readonly inputBox: { value: string };
  }[];
}

describe("Queueing a commit, beside Source Control", () => {
  const fixture = useDemoWorkbench();
  let window: WorkbenchWindow;
  const queued = async (): Promise<readonly string[]> =>
    (await window.bridge.command<Snapshot>("batchControl.getState", {})).git.queued.map(({ label }) => label);
  const messageBox = (worktree: string, write?: string): Promise<string | undefined> =>
    window.bridge.evaluate(
      ({ vscode }, { at, text }) => {
        const { exports } = vscode.extensions.getExtension<{ getAPI(version: 1): Git }>("vscode.git")!;
        const { repositories } = exports.getAPI(1);
        const box = repositories.find(({ rootUri }) => rootUri.fsPath === at)?.inputBox;
        if (box && text !== undefined) box.value = text;
        return box?.value;
      },
      { at: worktree, text: write },
    );
  const begin = async (branch: string): Promise<void> => {
    await window.runCommand("Batch Control: Queue Commit");
    await window.quickInput.shown("Worktree");
    await window.quickInput.pick(branch);
  };
  const toMessage = async (): Promise<void> => {
    await window.quickInput.shown("Files to commit");
    await window.quickInput.acceptRow();
    await window.quickInput.shown("Commit message");
  };

  before(async () => {
    window = await fixture.workbench.open(fixture.sample.workspace);
    await window.bridge.command("batchControl.pause", {});
  });

  it("takes over what is written in its message box, and empties that once it is queued", async () => {
    const [one] = fixture.sample.worktrees;
    await until("its repository", async () => (await messageBox(one!.path)) !== undefined);
    await messageBox(one!.path, "Written beside the changes");
    await begin(one!.branch);
    await toMessage();
    assert.equal(await window.quickInput.value(), "Written beside the changes");
    await window.quickInput.cancel();
    assert.equal(await messageBox(one!.path), "Written beside the changes");
    await begin(one!.branch);
    await toMessage();
    await window.quickInput.accept();
    await until("the commit", async () => (await queued()).join() === "Written beside the changes");
    await until("an empty box", async () => (await messageBox(one!.path)) === "");
  });

  it("says which files a queued commit has, and ticks them no more", async () => {
    const [one] = fixture.sample.worktrees;
    await begin(one!.branch);
    await window.quickInput.shown("Files to commit");
    const [file] = await until("the files", async () => {
      const items = await window.quickInput.items();
      return items.length > 0 ? items : undefined;
    });
    assert.match(file!.description, /in a queued commit/);
    await window.quickInput.accept();
    await window.quickInput.shown("Choose at least one file.");
    await window.quickInput.cancel();
  });

  it("offers a push of what there is to push first, and none of a branch without a commit", async () => {
    const [one, , three] = fixture.sample.worktrees;
    const { quickInput } = window;
    const ask = async (branch: string): Promise<readonly string[]> => {
      await window.runCommand("Batch Control: Queue Push");
      await quickInput.shown("Worktree");
      await quickInput.pick(branch);
      await quickInput.shown("Push which branch?");
      const items = await until("the branches", async () => {
        const all = await quickInput.items();
        return all.length > 1 ? all : undefined;
      });
      return items.map(({ label, description }) => `${label}: ${description}`);
    };
    const [first, ...rest] = await ask(one!.branch);
    assert.equal(first, `${one!.branch}: what is queued for it is pushed with it`);
    assert.ok(rest.includes("main: nothing to push"), rest.join());
    await quickInput.cancel();
    await git(three!.path, "symbolic-ref", "HEAD", "refs/heads/fresh");
    try {
      const offered = await ask("fresh");
      assert.equal(offered.at(-1), "fresh: no commits yet");
      await quickInput.pick("fresh");
      await quickInput.shown("fresh has no commits yet. Queue a commit first; then it can be pushed.");
      await quickInput.cancel();
    } finally {
      await git(three!.path, "symbolic-ref", "HEAD", `refs/heads/${three!.branch}`);
    }
  });

  it("keeps a message for the worktree it was written for", async () => {
    const [, two, three] = fixture.sample.worktrees;
    await begin(two!.branch);
    await toMessage();
    await window.quickInput.type("About the second");
    await window.quickInput.cancel();
    await begin(three!.branch);
    await toMessage();
    assert.equal(await window.quickInput.value(), "");
    await window.quickInput.cancel();
    await begin(two!.branch);
    await toMessage();
    assert.equal(await window.quickInput.value(), "About the second");
    await window.quickInput.cancel();
  });

  it("refuses a worktree without a branch before anything is written", async () => {
    const [, , three] = fixture.sample.worktrees;
    await git(three!.path, "checkout", "--detach", "--quiet");
    await begin("(detached)");
    await window.quickInput.shown("It has a detached HEAD.");
    await window.quickInput.cancel();
    await git(three!.path, "checkout", "--quiet", three!.branch);
  });

  it("offers models with their prices, takes the one typed, and refuses one that is gone before the prompt", async () => {
    const { quickInput } = window;
    await window.runCommand("Batch Control: Queue LLM Request");
    await quickInput.shown("Kind of work");
    await quickInput.pick("judge");
    await quickInput.shown("Model");
    const items = await until("models", async () => {
      const all = await quickInput.items();
      return all.length > 1 ? all : undefined;
    });
    assert.match(items[0]!.description, /per million tokens/);
    await quickInput.type("claude-mythos-preview");
    await until(
      "the typed one",
      async () => (await quickInput.items())[0]?.label === "claude-mythos-preview",
    );
    await quickInput.accept();
    await quickInput.shown("was retired on 2026-06-30");
    // What is typed in full is taken, though longer ids begin with it.
    await quickInput.type("claude-opus-5");
    await until("some that fit", async () =>
      (await quickInput.items()).some(({ label }) => label === "claude-opus-5"),
    );
    await quickInput.accept();
    await quickInput.shown("Prompt");
    await quickInput.type("Which model?");
    await quickInput.accept();
    const model = await until("the request", async () => {
      const { llm } = await window.bridge.command<Snapshot>("batchControl.getState", {});
      return llm.queued[0]?.group;
    });
    assert.match(model, /claude-opus-5$/);
  });
});
