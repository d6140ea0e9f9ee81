import * as v from "valibot";
import { InputError } from "../../core/errors.ts";
import type { OperationStatus } from "../../core/operation.ts";
import { llmRequestInput, parseInput } from "../../core/schema/inputs.ts";
import type { LlmRequestInput } from "../../core/schema/inputs.ts";
import { asked } from "../commands/asked.ts";
import { Cancelled } from "../commands/cancelled.ts";
import { define } from "../commands/command.ts";
import type { AnyCommand, CommandTable } from "../commands/command.ts";
import type { Translate } from "../l10n.ts";
import type { Parts } from "../parts.ts";
import { gitQuestion, requestsQuestion } from "./questions.ts";
import type { Tool } from "./tool.ts";
import type { RunTool } from "./table.ts";

/** More than any provider takes at once; a request body of this size is no longer read as one either. */
const MAX_REQUESTS = 10_000;
const kindInput = v.looseObject({
  kind: v.picklist(["commit", "push", "merge"], 'must be "commit", "push" or "merge"'),
});
const requestsInput = v.strictObject({
  requests: v.pipe(
    v.array(llmRequestInput, "must be a list of requests"),
    v.nonEmpty("is empty; give at least one request"),
    v.maxLength(MAX_REQUESTS, `holds more than ${MAX_REQUESTS} requests; queue them in several calls`),
  ),
});

type EnqueueGit = Pick<CommandTable, "enqueueCommit" | "enqueuePush" | "enqueueMerge">;
const commandOf = { commit: "enqueueCommit", push: "enqueuePush", merge: "enqueueMerge" } as const;

/** One git operation; answers its id and where it stands, which may be further where its key was used before. */
export function enqueueGitTool(
  table: EnqueueGit,
  journal: Pick<Parts["journal"], "operation">,
  runTool: RunTool,
  t: Translate,
): Tool {
  return {
    prepare: (input) => gitQuestion(input, t),
    run: async (input, agent) => {
      const { kind, ...operation } = parseInput(kindInput, input);
      const name = commandOf[kind];
      const { id } = await runTool(name, table[name], operation, agent);
      const stored = await journal.operation(id);
      return { id, status: stored?.status ?? "queued" };
    },
  };
}

interface QueuedRequests {
  readonly ids: readonly string[];
  readonly statuses: readonly OperationStatus[];
}

/** Many requests, all or none; answers their ids and where each stands, which may be further where its key was used before. */
export function enqueueRequestsTool(
  parts: {
    readonly llm: Pick<Parts["llm"], "enqueueAll">;
    readonly requests: Pick<Parts["requests"], "check">;
    readonly journal: Pick<Parts["journal"], "operation">;
  },
  runTool: RunTool,
  t: Translate,
  count: (value: number) => string,
): Tool {
  const command: AnyCommand<QueuedRequests> = define({
    trusted: true,
    parse: (input) => parseInput(requestsInput, input).requests,
    ask: () => Promise.reject(new Cancelled()),
    run: async (requests, caller) => {
      await checkEach(requests, (request) => parts.requests.check(request));
      const ids = await parts.llm.enqueueAll(requests, asked(caller));
      const stored = await Promise.all(ids.map((id) => parts.journal.operation(id)));
      return { ids, statuses: stored.map((each) => each?.status ?? "queued") };
    },
  });
  return {
    prepare: (input) => requestsQuestion(input, t, count),
    run: (input, agent) => runTool("enqueueRequests", command, input, agent),
  };
}

/** What only the room can tell of one is told with its place in the list. */
async function checkEach(
  requests: readonly LlmRequestInput[],
  check: (request: LlmRequestInput) => Promise<void>,
): Promise<void> {
  for (const [place, request] of requests.entries()) {
    try {
      await check(request);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      const said = error.message.slice(error.field.length + 2);
      throw new InputError(`requests.${place}.${error.field}`, said, error.reason);
    }
  }
}
