import type { Parts, SideBatcher, WorktreeChoice } from "../parts.ts";
import type * as v from "valibot";
import { commitInput, llmRequestInput, mergeInput, parseInput, pushInput } from "../../core/schema/inputs.ts";
import type { CommitInput, LlmRequestInput, MergeInput, PushInput } from "../../core/schema/inputs.ts";
import type { Subject } from "./caller.ts";
import type { BranchGate } from "../branch-gate.ts";
import { define } from "./command.ts";
import type { Answers, AnyCommand, Caller, CommandTable } from "./command.ts";
import { asked } from "./asked.ts";
import { asRepository, byWorktree } from "./subjects.ts";
import { worktreeOf } from "../ui/worktree-of.ts";

/** Texts that are kept for whoever typed them until they are in the queue. */
export type DraftName = "commit" | "prompt";

/** How a person puts an input together. Each rejects with `Cancelled` when dismissed. */
export interface InputFlows {
  commit(subject: Subject): Promise<CommitInput>;
  push(subject: Subject): Promise<PushInput>;
  merge(subject: Subject): Promise<MergeInput>;
  request(): Promise<LlmRequestInput>;
  /** The text is in the queue and need not be offered again. */
  wasQueued(draft: DraftName): void;
}

/** What is asked where files of several worktrees were pointed at. */
export interface SeveralWorktrees {
  readonly worktrees: () => Promise<readonly WorktreeChoice[]>;
  /** Says that each will be asked for; rejects with `Cancelled` unless the person agrees. */
  readonly agree: (worktrees: readonly string[]) => Promise<void>;
}

/** The four ways to put something in a queue; each answers once that is durable. */
export function enqueueCommands(
  parts: Pick<Parts, "git" | "llm">,
  flows: InputFlows,
  branches: BranchGate,
  several: SeveralWorktrees,
): Pick<CommandTable, "enqueueCommit" | "enqueuePush" | "enqueueMerge" | "enqueueRequest"> {
  return {
    enqueueCommit: forEachWorktree(
      keepingDraft(
        enqueue(parts.git, commitInput, (subject) => flows.commit(asRepository(subject)), "commit"),
        () => flows.wasQueued("commit"),
      ),
      several,
    ),
    enqueuePush: enqueue(
      parts.git,
      pushInput,
      (subject) => flows.push(asRepository(subject)),
      "push",
      (input, caller) => branches.pass({ ...input, kind: "push" }, caller),
    ),
    enqueueMerge: enqueue(
      parts.git,
      mergeInput,
      (subject) => flows.merge(asRepository(subject)),
      "merge",
      (input, caller) => branches.pass({ ...input, kind: "merge" }, caller),
    ),
    enqueueRequest: keepingDraft(
      enqueue(parts.llm, llmRequestInput, () => flows.request()),
      () => flows.wasQueued("prompt"),
    ),
  };
}

/** A commit is of one worktree, so one is asked for after the other; answers the last. */
function forEachWorktree<Answer>(
  command: AnyCommand<Answer>,
  { worktrees, agree }: SeveralWorktrees,
): AnyCommand<Answer> {
  const fromPerson = async (subject: Subject): Promise<Answer> => {
    const known = subject.kind === "files" ? await worktrees() : [];
    const [first = subject, ...others] = byWorktree(subject, known);
    if (others.length > 0)
      await agree([first, ...others].flatMap((each) => worktreeOf(each, known)?.path ?? []));
    let answer = await command.fromPerson(first);
    for (const other of others) answer = await command.fromPerson(other);
    return answer;
  };
  return { ...command, fromPerson };
}

/** What somebody typed is let go of only now, for queueing may be refused. */
function keepingDraft<Answer>(command: AnyCommand<Answer>, queued: () => void): AnyCommand<Answer> {
  const fromPerson = async (subject: Subject): Promise<Answer> => {
    const answer = await command.fromPerson(subject);
    queued();
    return answer;
  };
  return { ...command, fromPerson };
}

/** `kind`: an input that lacks what tells the kinds apart is still refused as the kind it was meant to be. */
function enqueue<Schema extends v.GenericSchema<unknown, object>>(
  batcher: Pick<SideBatcher<unknown>, "enqueue">,
  schema: Schema,
  ask: (subject: Subject) => Promise<v.InferOutput<Schema>>,
  kind?: "commit" | "push" | "merge",
  pass?: (input: v.InferOutput<Schema>, caller: Caller) => Promise<void>,
): AnyCommand<Answers["enqueueCommit"]> {
  return define({
    trusted: true,
    parse: (input) => parseInput(schema, input),
    ask,
    run: async (input, caller) => {
      await pass?.(input, caller);
      const { id, result } = await batcher.enqueue(kind ? { ...input, kind } : input, asked(caller));
      // Nobody may ever await it; it is there for callers of the API.
      result.catch(() => undefined);
      return { id };
    },
  });
}
