/** What a language model is told of a tool; `inputSchema`: JSON schema, draft 7. */
export interface ToolText {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>> & { readonly type: "object" };
}

const text = (description: string) => ({ type: "string", description });
const flag = (description: string) => ({ type: "boolean", description });
const texts = (description: string) => ({ type: "array", items: { type: "string" }, description });
const object = (description: string) => ({ type: "object", description });
const choice = (values: readonly string[], description: string) => ({
  type: "string",
  enum: values,
  description,
});

const idempotencyKey = text("Asking again under the same key queues nothing twice and answers the same id.");

const request = {
  type: "object",
  additionalProperties: false,
  required: ["type", "model"],
  properties: {
    idempotencyKey,
    id: text("Your own label for the request."),
    type: text(
      "What kind of work it is, such as implementer, judge or planner. Requests of one type, model and provider share a batch.",
    ),
    model: text("Model id of the provider."),
    prompt: text("The prompt. Give prompt or messages."),
    messages: {
      type: "array",
      items: {},
      description: "Messages in the provider's own shape, instead of prompt.",
    },
    system: { description: "System prompt, in the provider's own shape." },
    maxTokens: {
      type: "integer",
      minimum: 1,
      description: "Most tokens of the answer; 4096 where it is left out.",
    },
    params: object("More parameters for the provider, as they are."),
    provider: choice(["anthropic", "openai"], "Anthropic where it is left out."),
    endpoint: text("Another endpoint of the provider, as a path."),
    betas: texts("Names of beta features."),
    urgency: choice(
      ["batch", "soon", "now"],
      "batch: half price, may take hours. soon: sealed at once. now: a single call at full price.",
    ),
    metadata: object("Kept with the request for yourself."),
  },
};

/** The tools, in the words of the contract; the editor's manifest shows the same. */
export const toolTexts: readonly ToolText[] = [
  {
    name: "batchControl_enqueueGit",
    description:
      "Queues one git operation of a worktree: a commit, a push or a merge. Nothing happens in git before a flush, which executes the commits, merges and pushes of all worktrees together, with one push for each remote. The content of the files is pinned as it is now. Answers the operation's id. Use it instead of git commit, git merge and git push where several worktrees or branches work side by side.",
    inputSchema: {
      type: "object",
      additionalProperties: false,
      required: ["kind", "worktree"],
      properties: {
        kind: choice(["commit", "push", "merge"], "What to queue."),
        worktree: text("Absolute path of the worktree."),
        idempotencyKey,
        message: text("commit: the message (required). merge: a message of your own."),
        files: texts("commit: paths relative to the worktree. What is staged where it is left out."),
        branch: text("commit, push: a branch other than the one that is checked out."),
        allowEmpty: flag("commit: also where nothing has changed."),
        signoff: flag("commit: add a Signed-off-by line."),
        remote: text("push: a remote other than the branch's own."),
        force: choice(["with-lease"], "push: overwrite what the remote has, if it is what was seen last."),
        setUpstream: flag("push: make the remote branch the upstream."),
        tags: texts("push: tags to push as well."),
        source: text("merge: the branch that is merged (required)."),
        target: text("merge: the branch that receives it (required)."),
        mode: choice(["merge", "ff-only", "squash"], "merge: how."),
        push: flag("merge: push the target afterwards."),
      },
    },
  },
  {
    name: "batchControl_enqueueRequests",
    description:
      "Queues requests to a large language model that can wait. They are sent in one batch at half price at the next flush, or alone where they are urgent. All of them are queued, or none. Answers their ids, in order; read the answers with batchControl_state and these ids.",
    inputSchema: {
      type: "object",
      additionalProperties: false,
      required: ["requests"],
      properties: {
        requests: { type: "array", minItems: 1, items: request, description: "The requests." },
      },
    },
  },
  {
    name: "batchControl_flush",
    description:
      "Executes now what is queued: all git operations, all requests, or both. That includes what people and other agents have queued. With wait it answers once everything is over, with the status of each operation and what failed; git takes seconds, a batch of requests may take hours, so wait for git only.",
    inputSchema: {
      type: "object",
      additionalProperties: false,
      properties: {
        kind: choice(["git", "llm"], "One side only; both where it is left out."),
        wait: flag("Answer only once everything is over."),
      },
    },
  },
  {
    name: "batchControl_state",
    description:
      "Tells what is queued, pending, executing and lately finished, what holds it up, and what was saved. With ids it tells of these operations, with results: the commit, or the text that a model answered. Changes nothing.",
    inputSchema: {
      type: "object",
      additionalProperties: false,
      properties: {
        ids: { ...texts("Ids of operations, 100 at most."), minItems: 1, maxItems: 100 },
        wait: flag(
          "With ids: answer only once all of these operations are over, or stopped by what a person has to mend, which holds then tells.",
        ),
      },
    },
  },
];
