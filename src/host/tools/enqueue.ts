import * as v from "valibot";
import { InputError } from "../../core/errors.ts";
import { llmRequestInput, parseInput } from "../../core/schema/inputs.ts";
import type { LlmRequestInput } from "../../core/schema/inputs.ts";
import { asked } from "../commands/asked.ts";
import { Cancelled } from "../commands/cancelled.ts";
import { define } from "../commands/command.ts";
import type { AnyCommand, CommandTable } from "../commands/command.ts";
import type { Translate } from "../l10n.ts";
import { escapeMarkdown } from "../markdown.ts";
import type { Parts } from "../parts.ts";
import { fieldsOf } from "./tool.ts";
import type { Prepared, Tool } from "./tool.ts";
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
    prepare: (input) => {
      const fields = fieldsOf(input);
      const { kind, title, message } = wordsOf(fields["kind"], t);
      const facts = Object.entries(fields).filter(([name]) => name !== "kind" && name !== "idempotencyKey");
      return { message, question: { title, text: kind === undefined ? "" : list(facts) } };
    },
    run: async (input, agent) => {
      const { kind, ...operation } = parseInput(kindInput, input);
      const name = commandOf[kind];
      const { id } = await runTool(name, table[name], operation, agent);
      const stored = await journal.operation(id);
      return { id, status: stored?.status ?? "queued" };
    },
  };
}

function wordsOf(
  kind: unknown,
  t: Translate,
): { readonly kind?: string; readonly title: string; readonly message: string } {
  switch (kind) {
    case "commit":
      return { kind, title: t("Queue this commit?"), message: t("Queueing a commit") };
    case "push":
      return { kind, title: t("Queue this push?"), message: t("Queueing a push") };
    case "merge":
      return { kind, title: t("Queue this merge?"), message: t("Queueing a merge") };
    default:
      return { title: t("Queue a git operation?"), message: t("Queueing a git operation") };
  }
}

/**
 * Fields under the names they have in the input: a person sees what the model asks for, all of it. Without code spans, whose
 * marks stay where the editor shows the question as plain text.
 */
const list = (facts: readonly (readonly [string, unknown])[]): string =>
  facts.map(([name, value]) => `- ${escapeMarkdown(name)}: ${escapeMarkdown(shown(value))}`).join("\n");

const MAX_SHOWN = 2_000;
function shown(value: unknown): string {
  if (value === undefined) return "";
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return shown(value.join(", "));
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/** Many requests, all or none; answers their ids. */
export function enqueueRequestsTool(
  parts: {
    readonly llm: Pick<Parts["llm"], "enqueueAll">;
    readonly requests: Pick<Parts["requests"], "check">;
  },
  runTool: RunTool,
  t: Translate,
  count: (value: number) => string,
): Tool {
  const command: AnyCommand<{ readonly ids: readonly string[] }> = define({
    trusted: true,
    parse: (input) => parseInput(requestsInput, input).requests,
    ask: () => Promise.reject(new Cancelled()),
    run: async (requests, caller) => {
      await checkEach(requests, (request) => parts.requests.check(request));
      return { ids: await parts.llm.enqueueAll(requests, asked(caller)) };
    },
  });
  return {
    prepare: (input) => preparedRequests(fieldsOf(input)["requests"], t, count),
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

const MAX_LISTED = 5;
const MAX_PROMPT = 200;

function preparedRequests(requests: unknown, t: Translate, count: (value: number) => string): Prepared {
  const all: readonly unknown[] = Array.isArray(requests) ? requests : [];
  const lines = all.slice(0, MAX_LISTED).map((request) => {
    const { model, prompt, messages } = fieldsOf(request);
    return `- ${escapeMarkdown(shown(model))}: ${escapeMarkdown(shown(prompt ?? messages).slice(0, MAX_PROMPT))}`;
  });
  const more = all.length - lines.length;
  return {
    message: t("Queueing requests"),
    question: {
      title: t("Queue these requests?"),
      text: [
        escapeMarkdown(t("Requests: {0}", count(all.length))),
        "",
        ...lines,
        ...(more > 0 ? [`- ${escapeMarkdown(t("{0} more", count(more)))}`] : []),
      ].join("\n"),
    },
  };
}
