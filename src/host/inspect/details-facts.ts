import type { Translate } from "../l10n.ts";
import { codeSpan, escapeMarkdown } from "../markdown.ts";
import { toldMessage } from "../messages/messages.ts";
import { mergeMode } from "../words.ts";

/** A name and its value as Markdown; nothing is said where the value is `undefined`. */
export type Fact = readonly [name: string, value: string | undefined];

type Fields = Readonly<Record<string, unknown>>;

/** Fields that are told elsewhere, or that are notes of the program to itself. */
const told: ReadonlySet<string> = new Set([
  ...["files", "fileCount", "conflictFiles", "changedPath", "submodules", "hookChanges", "rewritten"],
  ...["output", "verifyOutput", "remoteOutput"],
  ...["message", "prompt", "system", "messages", "dependency", "checking", "kind", "id", "idempotencyKey"],
]);

/** What is known of an operation, in words; fields that nobody has words for come last, by their own names. */
export function factsOf(fields: Fields, t: Translate, count: (value: number) => string): readonly Fact[] {
  const yes = (name: string): Fact => [name, fields[name] === true ? t("yes") : undefined];
  const code = (name: string): string | undefined => {
    const value = fields[name];
    return typeof value === "string" && value !== "" ? codeSpan(value) : undefined;
  };
  const words: Readonly<Record<string, Fact>> = {
    worktree: [t("Worktree"), code("worktree")],
    file: [t("File"), code("file")],
    branch: [t("Branch"), code("branch")],
    source: [t("Branch to merge"), code("source")],
    target: [t("Target branch"), code("target")],
    mode: [t("How to merge"), mergeMode(fields["mode"], t)],
    opponent: [t("Conflicts with"), code("opponent")],
    push: [t("Push afterwards"), yes("push")[1]],
    remote: [t("Remote"), code("remote")],
    force: [
      t("Forced"),
      fields["force"] === "with-lease" ? t("only over what was last seen there") : undefined,
    ],
    setUpstream: [t("Set as upstream"), yes("setUpstream")[1]],
    tags: [t("Tags"), listOf(fields["tags"])],
    allowEmpty: [t("Even without changes"), yes("allowEmpty")[1]],
    signoff: [t("Signed off"), yes("signoff")[1]],
    engine: [t("Committed"), engineText(fields["engine"], t)],
    because: [t("Why so"), messageText(fields["because"], t)],
    upToDate: [t("Was there already"), yes("upToDate")[1]],
    recovered: [t("Found done after an interruption"), yes("recovered")[1]],
    provider: [t("Provider"), providerName(fields["provider"])],
    model: [t("Model"), code("model")],
    type: [t("Kind of work"), code("type")],
    urgency: [t("Urgency"), urgencyText(fields["urgency"], t)],
    maxTokens: [t("Tokens at most"), numberText(fields["maxTokens"], count)],
    askedTwice: [t("May have been paid twice"), yes("askedTwice")[1]],
    warning: [t("Warning"), messageText(fields["warning"], t)],
    warnings: [t("Warning"), messageText(fields["warnings"], t)],
  };
  const rest = Object.entries(fields).filter(([name]) => !Object.hasOwn(words, name) && !told.has(name));
  return [...Object.values(words), ...rest.flatMap(([name, value]) => flat(name, value))];
}

/** A value of any depth as lines: `response_format.type: json`. */
function flat(name: string, value: unknown): readonly Fact[] {
  const label = escapeMarkdown(name);
  if (value === undefined || value === null) return [];
  const list = listOf(value);
  if (list !== undefined) return [[label, list]];
  if (typeof value !== "object") return [[label, codeSpan(JSON.stringify(value))]];
  return Object.entries(value).flatMap(([key, inner]) => flat(`${name}.${key}`, inner));
}

/** Names beside each other; `undefined` where it is no list of them. */
const listOf = (value: unknown): string | undefined =>
  Array.isArray(value) && value.length > 0 && value.every((each) => typeof each !== "object")
    ? value.map((each) => codeSpan(String(each))).join(", ")
    : undefined;

function messageText(value: unknown, t: Translate): string | undefined {
  const texts = (Array.isArray(value) ? value : [value]).filter((each) => typeof each === "string");
  const said = texts.map((text) => escapeMarkdown(toldMessage(text, t) ?? text)).join(" · ");
  return said === "" ? undefined : said;
}

function engineText(engine: unknown, t: Translate): string | undefined {
  if (engine === "fast") return t("straight into the repository");
  return engine === "porcelain" ? t("by git commit, as its hooks and settings want it") : undefined;
}

function urgencyText(urgency: unknown, t: Translate): string | undefined {
  switch (urgency) {
    case "batch":
      return t("can wait for a batch");
    case "soon":
      return t("soon, by a call of its own");
    case "now":
      return t("at once, by a call of its own");
    default:
      return undefined;
  }
}

function providerName(provider: unknown): string | undefined {
  if (provider === "anthropic") return "Anthropic";
  return provider === "openai" ? "OpenAI" : undefined;
}

const numberText = (value: unknown, count: (value: number) => string): string | undefined =>
  typeof value === "number" ? count(value) : undefined;
