import type { Parts, SideBatcher } from "../parts.ts";
import type * as v from "valibot";
import { commitInput, llmRequestInput, mergeInput, parseInput, pushInput } from "../../core/schema/inputs.ts";
import type { CommitInput, LlmRequestInput, MergeInput, PushInput } from "../../core/schema/inputs.ts";
import type { Subject } from "./caller.ts";
import type { BranchGate } from "../branch-gate.ts";
import { define } from "./command.ts";
import type { Answers, AnyCommand, Caller, CommandTable } from "./command.ts";
import { asked } from "./operations.ts";

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

/** The four ways to put something in a queue; each answers once that is durable. */
export function enqueueCommands(
  parts: Pick<Parts, "git" | "llm">,
  flows: InputFlows,
  branches: BranchGate,
): Pick<CommandTable, "enqueueCommit" | "enqueuePush" | "enqueueMerge" | "enqueueRequest"> {
  return {
    enqueueCommit: keepingDraft(
      enqueue(parts.git, commitInput, (subject) => flows.commit(subject), "commit"),
      () => flows.wasQueued("commit"),
    ),
    enqueuePush: enqueue(
      parts.git,
      pushInput,
      (subject) => flows.push(subject),
      "push",
      (input, caller) => branches.pass({ ...input, kind: "push" }, caller),
    ),
    enqueueMerge: enqueue(
      parts.git,
      mergeInput,
      (subject) => flows.merge(subject),
      "merge",
      (input, caller) => branches.pass({ ...input, kind: "merge" }, caller),
    ),
    enqueueRequest: keepingDraft(
      enqueue(parts.llm, llmRequestInput, () => flows.request()),
      () => flows.wasQueued("prompt"),
    ),
  };
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
