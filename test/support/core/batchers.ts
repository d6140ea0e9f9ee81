import { v7 } from "uuid";
import { StateStore } from "../../../src/core/state-store.ts";
import type { TriggerSettings } from "../../../src/core/triggers.ts";
import { GitBatcher } from "../../../src/git/git-batcher.ts";
import { MemoryJournal } from "../../../src/journal/memory-journal.ts";
import { LlmBatcher } from "../../../src/llm/llm-batcher.ts";
import { ManualClock } from "./manual-clock.ts";
import { MemoryLog } from "./memory-log.ts";
import { PlainGitAcceptor, PlainLlmAcceptor } from "./plain-acceptor.ts";

/** Both batchers on one in-memory journal, without a runner and without a window around them. */
export async function openBatchers(settings: Partial<TriggerSettings> = {}) {
  const clock = new ManualClock();
  const log = new MemoryLog();
  const journal = new MemoryJournal({ clock, newId: () => v7() });
  const state = await StateStore.open(journal, clock, log);
  const current = { maxBatchSize: 10, maxBatchAge: 3600, autoFlush: true, ...settings };
  const parts = { journal, state, clock, log, newId: () => v7(), settings: () => current };
  const gitAcceptor = new PlainGitAcceptor();
  const llmAcceptor = new PlainLlmAcceptor();
  const git = new GitBatcher({ ...parts, acceptor: gitAcceptor });
  const llm = new LlmBatcher({ ...parts, acceptor: llmAcceptor });
  return { clock, log, journal, state, git, llm, gitAcceptor, llmAcceptor, settings: current };
}

export const push = (branch: string, worktree = "/repo") => ({ kind: "push" as const, worktree, branch });
export const commit = (message: string, worktree = "/repo") => ({
  kind: "commit" as const,
  worktree,
  message,
  files: ["a.txt"],
});
export const request = (prompt: string, type = "implementer", model = "claude-opus-5-5") => ({
  type,
  model,
  prompt,
});
