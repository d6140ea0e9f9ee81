import type { Translate } from "../l10n.ts";
import { escapeMarkdown } from "../markdown.ts";
import { fieldsOf } from "./tool.ts";
import type { Prepared } from "./tool.ts";

/** What says where something goes comes first, what may be long last. */
const order = [
  "worktree",
  "branch",
  "source",
  "target",
  "mode",
  "push",
  "remote",
  "force",
  "setUpstream",
  "tags",
  "allowEmpty",
  "signoff",
  "files",
  "message",
];
/** Seen in the list itself, or of no meaning to a person. */
const untold: readonly string[] = ["kind", "idempotencyKey"];
const MAX_SHOWN = 1_500;
const MAX_PROMPT = 200;
const MAX_LISTED = 10;

type Count = (value: number) => string;

/** All that a git operation is asked for, under the names that the fields have in the input. */
export function gitQuestion(input: unknown, t: Translate): Prepared {
  const fields = fieldsOf(input);
  const { title, message } = wordsOf(fields["kind"], t);
  const rank = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
  const names = Object.keys(fields)
    .filter((name) => !untold.includes(name))
    .sort((a, b) => rank(a) - rank(b));
  const lines = names.map((name) => `- ${plain(name)}: ${plain(shown(fields[name]))}`);
  return { message, question: { title, text: lines.join("\n") } };
}

function wordsOf(kind: unknown, t: Translate): { readonly title: string; readonly message: string } {
  switch (kind) {
    case "commit":
      return { title: t("Queue this commit?"), message: t("Queueing a commit") };
    case "push":
      return { title: t("Queue this push?"), message: t("Queueing a push") };
    case "merge":
      return { title: t("Queue this merge?"), message: t("Queueing a merge") };
    default:
      return { title: t("Queue a git operation?"), message: t("Queueing a git operation") };
  }
}

/** How many requests there are for which model, and how each of the first of them begins. */
export function requestsQuestion(input: unknown, t: Translate, count: Count): Prepared {
  const { requests } = fieldsOf(input);
  const all: readonly unknown[] = Array.isArray(requests) ? requests : [];
  const models = [...Map.groupBy(all, modelOf)];
  const lines = [
    ...models.slice(0, MAX_LISTED).map(([model, { length }]) => `${model}: ${count(length)}`),
    ...more(models.length, t, count),
    ...all.slice(0, MAX_LISTED).map((request) => {
      const { prompt, messages } = fieldsOf(request);
      return cut(shown(prompt ?? messages), MAX_PROMPT);
    }),
    ...more(all.length, t, count),
  ];
  const text = [plain(t("Requests: {0}", count(all.length))), "", ...lines.map((line) => `- ${plain(line)}`)];
  return {
    message: t("Queueing requests"),
    question: { title: t("Queue these requests?"), text: text.join("\n") },
  };
}

/** With its urgency where that costs more than waiting does, and sends it without a flush. */
function modelOf(request: unknown): string {
  const { model, urgency } = fieldsOf(request);
  const isBatch = urgency === undefined || urgency === "batch";
  return isBatch ? shown(model) : `${shown(model)} (urgency: ${shown(urgency)})`;
}

const more = (length: number, t: Translate, count: Count): readonly string[] =>
  length > MAX_LISTED ? [t("{0} more", count(length - MAX_LISTED))] : [];

function shown(value: unknown): string {
  if (value === undefined) return "";
  if (Array.isArray(value) && value.every((each) => typeof each === "string"))
    return cut(`(${value.length}) ${value.join(", ")}`, MAX_SHOWN);
  return cut(typeof value === "string" ? value : JSON.stringify(value), MAX_SHOWN);
}

const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).toWellFormed()}… (${text.length})` : text;

/**
 * A text that shows whole in both ways in which the editor shows a question: as Markdown in the chat, and elsewhere as plain
 * text, made from the Markdown by a way that takes an escaped < for the beginning of a tag and drops what follows.
 */
function plain(text: string): string {
  const visible = text.replace(
    // eslint-disable-next-line no-control-regex -- they are what is looked for
    /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g,
    (mark) => `<U+${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}>`,
  );
  return escapeMarkdown(visible).replaceAll("\\<", "&lt;").replaceAll("\\>", "&gt;");
}
