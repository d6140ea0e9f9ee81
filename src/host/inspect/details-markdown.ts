import type { Operation, Origin } from "../../core/operation.ts";
import type { Result } from "../../core/result.ts";
import { operationView } from "../../core/view.ts";
import { adviceFor } from "../advice.ts";
import type { Translate } from "../l10n.ts";
import { codeSpan, escapeMarkdown, showHidden } from "../markdown.ts";
import type { Numbers } from "../numbers.ts";
import { failureText, reasonTexts } from "../reason-words.ts";
import { operationStatus, placeOf, sourceName } from "../words.ts";
import { factsOf } from "./details-facts.ts";
import type { Fact } from "./details-facts.ts";

export interface Told {
  readonly operation: Operation;
  /** The window that shows it. */
  readonly here: Origin;
  /** Absent as long as it is not final. */
  readonly result: Result | undefined;
  /** As it was asked for. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Paths of the details of what it is a retry of, and of what it builds upon, where they are still there. */
  readonly earlier?: string | undefined;
  readonly basis?: string | undefined;
}

/** How the reader's language writes instants, numbers and money. */
export interface Writing extends Numbers {
  readonly time: (at: number) => string;
}

/** The whole story of one operation as Markdown, to be read as source or rendered. Ids, which one copies, come last. */
export function detailsMarkdown(told: Told, t: Translate, writing: Writing): string {
  const { operation, result, input } = told;
  const { label, reason, error } = operation;
  const detail = isRecord(operation.detail) ? operation.detail : {};
  const { metadata, ...asked } = input;
  const file = isRecord(metadata) && typeof metadata["file"] === "string" ? metadata["file"] : undefined;
  const { file: _, ...notes } = isRecord(metadata) ? metadata : {};
  const fields = { ...asked, ...detail, file, metadata: file === undefined ? metadata : notes };
  const { fileCount } = detail;
  const files = lines(input["files"] ?? detail["files"]);
  const more = typeof fileCount === "number" ? fileCount - files.length : 0;
  return [
    `# ${escapeMarkdown(label)}`,
    facts([
      ...courseOf(told, t, writing),
      ...outcomeOf(result, t, writing),
      ...factsOf(fields, t, writing.count),
    ]),
    ...section(t("Error"), error && failureText(error, reason, t)),
    ...advised(adviceFor(operation, t), t),
    ...names(t("Files in conflict"), lines(detail["conflictFiles"])),
    ...names(t("Changed meanwhile"), lines(detail["changedPath"])),
    ...names(t("Submodules"), lines(detail["submodules"])),
    ...section(t("Output of git and its hooks"), detail["output"]),
    ...section(t("Output of the verification"), detail["verifyOutput"]),
    ...section(t("Answer of the remote"), detail["remoteOutput"]),
    ...section(t("Message"), input["message"]),
    ...names(t("Files"), files, more > 0 ? t("and {0} more", writing.count(more)) : undefined),
    ...names(t("Changed by hooks"), lines(detail["hookChanges"])),
    ...section(
      t("Branches"),
      result?.refs?.map((ref) => `${ref.ref}\n  ${ref.old}\n  ${ref.new}`).join("\n"),
    ),
    ...section(t("System prompt"), textIn(input["system"])),
    ...section(t("Prompt"), input["prompt"]),
    ...section(t("Messages"), conversation(input["messages"])),
    `## ${t("Ids")}`,
    facts([
      [t("Operation"), codeSpan(operation.id)],
      [t("Batch"), operation.batch && codeSpan(operation.batch)],
      [t("Retry of"), operation.retryOf && codeSpan(operation.retryOf)],
      [
        t("Builds upon"),
        typeof detail["dependency"] === "string" ? codeSpan(detail["dependency"]) : undefined,
      ],
      [t("Commit"), result?.commit && codeSpan(result.commit)],
    ]),
  ]
    .join("\n\n")
    .concat("\n");
}

function courseOf(
  { operation, here, earlier, basis }: Told,
  t: Translate,
  { time }: Writing,
): readonly Fact[] {
  const { reason } = operation;
  return [
    [t("Status"), operationStatus(operationView(operation), t)],
    [t("Reason"), reason && (reasonTexts(t)[reason] ?? codeSpan(reason))],
    [t("Queued"), `${time(operation.enqueuedAt)} (${sourceName(operation.source, t)})`],
    [t("Retry of"), earlier && link(t("an earlier attempt"), earlier)],
    [t("Builds upon"), basis && link(t("another operation"), basis)],
    [t("Queued in"), operation.origin && placeName(operation.origin, here, t)],
    [operation.kind === "request" ? t("Group") : t("Repository"), codeSpan(placeOf(operation.group))],
  ];
}

function advised(advice: string | undefined, t: Translate): readonly string[] {
  return advice === undefined ? [] : [`## ${t("What to do")}`, escapeMarkdown(advice)];
}

/** Relative to a document of this kind, for the rendered page follows no address with a scheme of ours. */
const link = (text: string, path: string): string => `[${text}](../..${encodeURI(path)})`;

/** What an answered request took. */
function outcomeOf(result: Result | undefined, t: Translate, { count, usd }: Writing): readonly Fact[] {
  const { usage, costUsd, durationMs } = result ?? {};
  const tokens = usage && t("{0} in, {1} out", count(inTokens(usage)), count(usage.outputTokens));
  const cached =
    usage && usage.cacheReadTokens > 0 ? t("of these {0} from the cache", count(usage.cacheReadTokens)) : "";
  return [
    [t("Tokens"), tokens && [tokens, cached].filter(Boolean).join(", ")],
    [t("Cost"), costUsd === null ? t("unknown") : costUsd === undefined ? undefined : usd(costUsd)],
    [t("Took"), durationMs === undefined ? undefined : t("{0} s", count(Math.round(durationMs / 100) / 10))],
  ];
}

const inTokens = ({ inputTokens, cacheReadTokens, cacheWriteTokens }: NonNullable<Result["usage"]>): number =>
  inputTokens + cacheReadTokens + cacheWriteTokens;

function placeName({ machine, window, workspace }: Origin, here: Origin, t: Translate): string {
  const shown = workspace === undefined ? t("a window without a folder") : codeSpan(workspace);
  const place = t("{0} on {1}", shown, codeSpan(machine));
  return window === here.window ? t("{0} (this window)", place) : place;
}

const facts = (all: readonly Fact[]): string =>
  all.flatMap(([name, value]) => (value ? [`- ${name}: ${value}`] : [])).join("\n");

/** Nothing where there is nothing to say. */
function section(title: string, content: unknown): readonly string[] {
  const text = typeof content === "string" ? content : "";
  return text.trim() === "" ? [] : [`## ${title}`, fenced(text.trimEnd())];
}

function names(title: string, all: readonly string[], last?: string): readonly string[] {
  if (all.length === 0) return [];
  const items = [...all.map(codeSpan), ...(last === undefined ? [] : [last])];
  return [`## ${title}`, items.map((item) => `- ${item}`).join("\n")];
}

const lines = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter((each) => typeof each === "string");

/** The texts of a message's content, which may come in blocks; what is no text is named by what it is. */
function textIn(content: unknown): string {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map(textIn).filter(Boolean).join("\n\n");
  if (!isRecord(content)) return "";
  const text = textIn(content["text"] ?? content["content"]);
  return text === "" && typeof content["type"] === "string" ? `[${content["type"]}]` : text;
}

function conversation(messages: unknown): string {
  if (!Array.isArray(messages)) return "";
  return messages
    .filter(isRecord)
    .map(
      (message) =>
        `${typeof message["role"] === "string" ? message["role"] : ""}:\n${textIn(message["content"])}`,
    )
    .join("\n\n");
}

/** A fence that nothing within the text can close. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/^ {0,3}`+/gm) ?? []).map((run) => run.trim().length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${showHidden(text)}\n${fence}`;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
