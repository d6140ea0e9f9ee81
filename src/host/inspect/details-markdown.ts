import { isDeepStrictEqual } from "node:util";
import type { Operation, Origin } from "../../core/operation.ts";
import type { Result } from "../../core/result.ts";
import { adviceFor } from "../advice.ts";
import type { Translate } from "../l10n.ts";
import { codeSpan, escapeMarkdown, showHidden } from "../markdown.ts";
import { toldMessage } from "../messages/messages.ts";
import { failureText } from "../reason-words.ts";
import { placeOf, sourceName, statusName } from "../words.ts";

export interface Told {
  readonly operation: Operation;
  /** The window that shows it. */
  readonly here: Origin;
  /** Absent as long as it is not final. */
  readonly result: Result | undefined;
  /** As it was asked for. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** Texts that hooks, verification and remotes left, longest first to read; by their name in an operation's detail. */
const outputs = ["output", "verifyOutput", "remoteOutput"] as const;

/** The whole story of one operation as Markdown, to be read as source or rendered. `time`: an instant for a person. */
export function detailsMarkdown(
  { operation, here, result, input }: Told,
  t: Translate,
  time: (at: number) => string,
): string {
  const { label, status, reason, error } = operation;
  const detail = isRecord(operation.detail) ? operation.detail : {};
  const facts: readonly (readonly [string, string | undefined])[] = [
    [t("Status"), statusName(status, t)],
    [t("Reason"), reason && codeSpan(reason)],
    [t("Queued"), `${time(operation.enqueuedAt)} (${sourceName(operation.source, t)})`],
    [t("Queued in"), operation.origin && placeName(operation.origin, here, t)],
    [operation.kind === "request" ? t("Group") : t("Repository"), codeSpan(placeOf(operation.group))],
    [t("Batch"), operation.batch && codeSpan(operation.batch)],
    [t("Retry of"), operation.retryOf && codeSpan(operation.retryOf)],
    [t("Commit"), result?.commit && codeSpan(result.commit)],
    [t("Id"), codeSpan(operation.id)],
  ];
  const { prompt, message, ...rest } = input;
  // Not what was asked for once more.
  const more = Object.fromEntries(
    Object.entries(detail).filter(
      ([name, value]) => !isOutput(name) && !isDeepStrictEqual(value, input[name]),
    ),
  );
  return [
    `# ${escapeMarkdown(label)}`,
    facts.flatMap(([name, value]) => (value ? [`- ${name}: ${value}`] : [])).join("\n"),
    ...section(t("Error"), error && failureText(error, reason, t), "text"),
    ...advised(adviceFor(operation, t), t),
    ...section(
      t("Branches"),
      result?.refs?.map(({ ref, old, new: next }) => `${ref}\n  ${old}\n  ${next}`).join("\n"),
      "text",
    ),
    ...outputs.flatMap((name) => section(outputTitle(name, t), detail[name], "text")),
    ...section(t("Message"), message, "text"),
    ...section(t("Prompt"), prompt, "text"),
    ...section(t("Asked for"), rest, "json"),
    ...section(t("Detail"), toldWithin(more, t), "json"),
  ]
    .join("\n\n")
    .concat("\n");
}

function advised(advice: string | undefined, t: Translate): readonly string[] {
  return advice === undefined ? [] : [`## ${t("What to do")}`, escapeMarkdown(advice)];
}

/** Messages that stand somewhere within what a room noted. */
function toldWithin(noted: unknown, t: Translate): unknown {
  if (typeof noted === "string") return toldMessage(noted, t) ?? noted;
  if (Array.isArray(noted)) return noted.map((each) => toldWithin(each, t));
  if (!isRecord(noted)) return noted;
  return Object.fromEntries(Object.entries(noted).map(([name, value]) => [name, toldWithin(value, t)]));
}

function placeName({ machine, window, workspace }: Origin, here: Origin, t: Translate): string {
  const shown = workspace === undefined ? t("a window without a folder") : codeSpan(workspace);
  const place = t("{0} on {1}", shown, codeSpan(machine));
  return window === here.window ? t("{0} (this window)", place) : place;
}

function outputTitle(name: (typeof outputs)[number], t: Translate): string {
  switch (name) {
    case "output":
      return t("Output of git and its hooks");
    case "verifyOutput":
      return t("Output of the verification");
    case "remoteOutput":
      return t("Answer of the remote");
  }
}

const isOutput = (name: string): boolean => outputs.some((output) => output === name);

/** Nothing where there is nothing to say. */
function section(title: string, content: unknown, language: "text" | "json"): readonly string[] {
  const text =
    typeof content === "string" ? content : isEmpty(content) ? "" : JSON.stringify(content, null, 2);
  if (text.trim() === "") return [];
  return [`## ${title}`, fenced(text.trimEnd(), language)];
}

const isEmpty = (content: unknown): boolean =>
  content === undefined || (isRecord(content) && Object.keys(content).length === 0);

/** A fence that nothing within the text can close. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/^ {0,3}`+/gm) ?? []).map((run) => run.trim().length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${showHidden(text)}\n${fence}`;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
