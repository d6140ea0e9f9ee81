import * as v from "valibot";
import { InputError } from "../errors.ts";

const MAX_NAME = 1024;
const text = (what: string) =>
  v.pipe(v.string(`must be ${what}`), v.nonEmpty(`must be ${what}, but is empty`));
const name = (what: string) =>
  v.pipe(
    text(what),
    v.maxLength(MAX_NAME, `is longer than ${MAX_NAME} characters; give a shorter one`),
    v.regex(/^\P{Cc}*$/u, `must be ${what}, but holds a control character`),
  );
/** The longest path that Linux takes. */
const MAX_PATH = 4096;
const worktree = v.pipe(
  text("the absolute path of a worktree"),
  v.maxLength(MAX_PATH, `is longer than ${MAX_PATH} characters; give the path of a worktree`),
  v.regex(/^\P{Cc}*$/u, "holds a control character; give the path of a worktree without one"),
);
/** Betas travel in a header: letters, digits, dots, dashes and underscores are all that their names are made of. */
const betaName = v.pipe(name("a beta name"), v.regex(/^[\w.-]+$/, "holds a character that no beta name has"));
/** What git cannot keep as it is would come out as another message. */
const message = (of: "commit" | "merge") =>
  v.pipe(
    v.string(`must be the ${of} message`),
    v.check((value) => value.trim() !== "", `is empty; write a ${of} message`),
    v.check((value) => !value.includes("\0"), "contains a NUL character"),
    v.check((value) => value.isWellFormed(), "contains half of a surrogate pair, which is no character"),
  );
const flag = v.optional(v.boolean("must be true or false"));
const common = {
  idempotencyKey: v.optional(name("a text")),
};

/** Queue one commit of the named files, or of what is staged where `files` is left out. */
export const commitInput = v.strictObject({
  ...common,
  worktree,
  message: message("commit"),
  files: v.optional(
    v.pipe(
      v.array(text("a path"), "must be a list of paths"),
      v.nonEmpty("is empty; name a file or leave it out to commit what is staged"),
    ),
  ),
  branch: v.optional(name("a branch name")),
  allowEmpty: flag,
  signoff: flag,
});

export const pushInput = v.strictObject({
  ...common,
  worktree,
  branch: v.optional(name("a branch name")),
  remote: v.optional(name("the name of a remote")),
  force: v.optional(v.literal("with-lease", 'can only be "with-lease"')),
  setUpstream: flag,
  tags: v.optional(v.array(name("a tag name"), "must be a list of tag names")),
});

export const mergeInput = v.strictObject({
  ...common,
  worktree,
  source: name("a branch name"),
  target: name("a branch name"),
  message: v.optional(message("merge")),
  mode: v.optional(v.picklist(["merge", "ff-only", "squash"], 'must be "merge", "ff-only" or "squash"')),
  push: flag,
});

/** Keys that valibot leaves out of a record without a word. */
const lost = ["__proto__", "constructor", "prototype"];
const lostKey = (value: unknown): string | undefined =>
  typeof value === "object" && value !== null ? lost.find((key) => Object.hasOwn(value, key)) : undefined;

/** An object with any keys but those that would get lost; `message`: what it must be. */
export const record = <Schema extends v.GenericSchema>(value: Schema, message: string) =>
  v.pipe(
    v.unknown(),
    v.check(
      (input) => lostKey(input) === undefined,
      ({ input }) => `may not have a key named ${lostKey(input) ?? ""}; name it otherwise`,
    ),
    v.record(v.string(), value, message),
  );

export const llmRequestInput = v.pipe(
  v.strictObject({
    ...common,
    id: v.optional(v.string("must be a text")),
    type: name("a word such as implementer, judge or planner"),
    model: v.pipe(name("a model id"), v.regex(/^\S+$/u, "must be a model id, which is one word")),
    prompt: v.optional(text("the prompt")),
    messages: v.optional(v.pipe(v.array(v.unknown(), "must be a list of messages"), v.nonEmpty("is empty"))),
    system: v.optional(v.unknown()),
    maxTokens: v.optional(
      v.pipe(
        v.number("must be a whole number of tokens"),
        v.integer("must be a whole number"),
        v.minValue(1, "must be at least 1"),
      ),
    ),
    params: v.optional(record(v.unknown(), "must be an object of provider parameters")),
    provider: v.optional(v.picklist(["anthropic", "openai"], 'must be "anthropic" or "openai"')),
    endpoint: v.optional(name("an endpoint path")),
    betas: v.optional(v.array(betaName, "must be a list of beta names")),
    urgency: v.optional(v.picklist(["batch", "soon", "now"], 'must be "batch", "soon" or "now"')),
    metadata: v.optional(record(v.unknown(), "must be an object")),
  }),
  v.forward(
    v.check(
      ({ prompt, messages }) => prompt !== undefined || messages !== undefined,
      "is missing; give prompt or messages",
    ),
    ["prompt"],
  ),
  v.forward(
    v.check(
      ({ prompt, messages }) => prompt === undefined || messages === undefined,
      "give prompt or messages, not both",
    ),
    ["messages"],
  ),
);

export type CommitInput = v.InferOutput<typeof commitInput>;
export type PushInput = v.InferOutput<typeof pushInput>;
export type MergeInput = v.InferOutput<typeof mergeInput>;
export type LlmRequestInput = v.InferOutput<typeof llmRequestInput>;
/** `kind` may be left out: a merge has `source` and `target`, a commit has `message`, a push neither. */
export type GitInput =
  | (CommitInput & { readonly kind?: "commit" })
  | (PushInput & { readonly kind?: "push" })
  | (MergeInput & { readonly kind?: "merge" });

/** The checked value, or an `InputError` that names the first bad field. */
export function parseInput<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  what = "argument",
): v.InferOutput<Schema> {
  if (value === undefined || value === null) throw new InputError(what, "is missing");
  const parsed = v.safeParse(schema, value, { abortEarly: true });
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const field = v.getDotPath(issue) ?? what;
  if (issue.type === "strict_object" && issue.path === undefined)
    throw new InputError(field, "must be an object");
  if (issue.type === "strict_object") {
    throw new InputError(field, issue.expected === "never" ? "is not a known field" : `is missing`);
  }
  throw new InputError(field, issue.message);
}
