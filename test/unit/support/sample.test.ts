import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import * as v from "valibot";
import { llmRequestInput } from "../../../src/core/schema/inputs.ts";
import { createSample, git, receivedPushes } from "../../support/sample.ts";
import type { Sample } from "../../support/sample.ts";

describe("The sample workspace", () => {
  let folder: string;
  let sample: Sample;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "batch control sample-"));
    sample = await createSample(path.join(folder, "a"));
  });

  after(() => rm(folder, { recursive: true, force: true }));

  it("has three worktrees with changed and new files, and nothing else to commit", async () => {
    assert.deepEqual(
      sample.worktrees.map(({ branch }) => branch),
      ["agent/one", "agent/two", "agent/three"],
    );
    for (const worktree of sample.worktrees) {
      const status = await git(worktree.path, "status", "--porcelain", "--untracked-files=all");
      const [changed, added] = worktree.files;
      assert.deepEqual(
        status.split("\n").map((line) => line.trim()),
        [`M ${changed}`, `?? ${added}`],
      );
    }
    assert.equal(await git(sample.clone, "status", "--porcelain"), "");
  });

  it("comes out with the same commit every time", async () => {
    const again = await createSample(path.join(folder, "b"));
    const heads = await Promise.all([sample, again].map(({ clone }) => git(clone, "rev-parse", "main")));
    assert.equal(heads[0], heads[1]);
  });

  it("counts the pushes that its remote takes, with their refs", async () => {
    assert.deepEqual(await receivedPushes(sample), []);
    await git(sample.clone, "push", "origin", "agent/one", "agent/two");
    await git(sample.clone, "push", "origin", "agent/three");
    assert.deepEqual(await receivedPushes(sample), [
      ["refs/heads/agent/one", "refs/heads/agent/two"],
      ["refs/heads/agent/three"],
    ]);
  });

  it("holds prompts that can be queued as they are", async () => {
    const lines = (await readFile(sample.prompts, "utf8")).trim().split("\n");
    for (const line of lines) assert.ok(v.is(llmRequestInput, JSON.parse(line)), line);
  });
});
