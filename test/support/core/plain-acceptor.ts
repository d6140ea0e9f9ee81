import type { AcceptContext, Acceptor, Draft } from "../../../src/core/acceptor.ts";
import { InputError } from "../../../src/core/errors.ts";
import type { NewOperation, StoredOperation } from "../../../src/core/operation.ts";
import type { GitInput, LlmRequestInput } from "../../../src/core/schema/inputs.ts";

/** Accepts what it is given without looking at a repository or a provider: for tests of the core alone. */
abstract class PlainAcceptor<
  Input extends { idempotencyKey?: string | undefined },
> implements Acceptor<Input> {
  readonly discarded: string[] = [];

  protected abstract describe(input: Input): Pick<Draft, "kind" | "group" | "lane" | "label">;

  accept(input: Input, _context: AcceptContext): Promise<Draft> {
    if (typeof input !== "object") return Promise.reject(new InputError("argument", "must be an object"));
    const { idempotencyKey } = input;
    return Promise.resolve({
      ...this.describe(input),
      payload: input,
      fingerprint: JSON.stringify(input),
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    });
  }

  async again(operation: StoredOperation, context: AcceptContext, patch = {}): Promise<Draft> {
    const stored = JSON.parse(operation.payload) as Input;
    return this.accept({ ...stored, ...patch, idempotencyKey: undefined }, context);
  }

  inputOf(operation: StoredOperation): Readonly<Record<string, unknown>> {
    return JSON.parse(operation.payload) as Record<string, unknown>;
  }

  discard(operations: readonly Pick<NewOperation, "id">[]): Promise<void> {
    this.discarded.push(...operations.map((operation) => operation.id));
    return Promise.resolve();
  }
}

export class PlainGitAcceptor extends PlainAcceptor<GitInput> {
  protected describe(input: GitInput): Pick<Draft, "kind" | "group" | "lane" | "label"> {
    const lane = `git:${input.worktree}`;
    if ("source" in input)
      return { kind: "merge", group: lane, lane, label: `${input.source} into ${input.target}` };
    if ("message" in input) return { kind: "commit", group: lane, lane, label: input.message };
    return {
      kind: "push",
      group: lane,
      lane,
      label: `push ${input.branch ?? "HEAD"}`,
    };
  }
}

export class PlainLlmAcceptor extends PlainAcceptor<LlmRequestInput> {
  protected describe(input: LlmRequestInput): Pick<Draft, "kind" | "group" | "lane" | "label"> {
    return {
      kind: "request",
      group: `llm:anthropic/${input.type}/${input.model}`,
      lane: "llm:anthropic",
      label: input.id ?? input.prompt ?? "",
    };
  }
}
