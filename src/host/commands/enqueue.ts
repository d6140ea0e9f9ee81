import type { Parts, SideBatcher } from "../parts.ts";
import type { CommitInput, LlmRequestInput, MergeInput, PushInput } from "../../core/schema/inputs.ts";
import type { Subject } from "./caller.ts";
import { define } from "./command.ts";
import type { Answers, AnyCommand, CommandTable } from "./command.ts";
import { asked } from "./operations.ts";

/** How a person puts an input together. Each rejects with `Cancelled` when dismissed. */
export interface InputFlows {
  commit(subject: Subject): Promise<CommitInput>;
  push(subject: Subject): Promise<PushInput>;
  merge(subject: Subject): Promise<MergeInput>;
  request(): Promise<LlmRequestInput>;
}

/** The four ways to put something in a queue; each answers once that is durable. The rooms check the inputs. */
export function enqueueCommands(
  parts: Pick<Parts, "git" | "llm">,
  flows: InputFlows,
): Pick<CommandTable, "enqueueCommit" | "enqueuePush" | "enqueueMerge" | "enqueueRequest"> {
  return {
    enqueueCommit: enqueue(parts.git, (subject) => flows.commit(subject), "commit"),
    enqueuePush: enqueue(parts.git, (subject) => flows.push(subject), "push"),
    enqueueMerge: enqueue(parts.git, (subject) => flows.merge(subject), "merge"),
    enqueueRequest: enqueue(parts.llm, () => flows.request()),
  };
}

function enqueue(
  batcher: Pick<SideBatcher<unknown>, "enqueue">,
  ask: (subject: Subject) => Promise<unknown>,
  kind?: "commit" | "push" | "merge",
): AnyCommand<Answers["enqueueCommit"]> {
  return define<unknown, Answers["enqueueCommit"]>({
    trusted: true,
    // An input without the fields that tell the kinds apart must still be refused as the kind it was meant to be.
    parse: (input) =>
      kind && typeof input === "object" && input !== null && !Array.isArray(input)
        ? { ...input, kind }
        : input,
    ask: async (subject) => ({ ...((await ask(subject)) as object), ...(kind ? { kind } : {}) }),
    run: async (input, caller) => {
      const { id, result } = await batcher.enqueue(input, asked(caller));
      // Nobody may ever await it; it is there for callers of the API.
      result.catch(() => undefined);
      return { id };
    },
  });
}
