import { l10n } from "vscode";
import type { OperationKind } from "../../core/operation.ts";
import { NothingToDo } from "../commands/nothing-to-do.ts";
import type { GitChoices } from "../parts.ts";
import { askText, pickMany, pickOne, plain, typedChoice } from "./ask.ts";
import type { Choice } from "./ask.ts";
import { changeName } from "./change-name.ts";
import { mergeModes, mergePushes } from "./merge-questions.ts";
import { mergeMode } from "../words.ts";
import { back, runSteps } from "./steps.ts";
import type { Back, Frame } from "./steps.ts";

type Input = Readonly<Record<string, unknown>>;

/** How a person changes an operation: with these fields, or by writing this one's text in an editor. */
export type Edit =
  { readonly kind: "patch"; readonly patch: Input } | { readonly kind: "text"; readonly field: TextField };

/** Fields that are texts of many lines. */
export type TextField = "message" | "prompt";

interface Field {
  readonly name: string;
  readonly label: string;
  readonly how: "text" | "line" | "branch" | "remote" | "files" | "mode" | "push";
}

/** Asks what of a queued operation to change, and to what. Rejects with `Cancelled` when dismissed. */
export class EditFlow {
  readonly #choices: GitChoices;

  constructor(choices: GitChoices) {
    this.#choices = choices;
  }

  async ask(kind: OperationKind, input: Input): Promise<Edit> {
    const fields = fieldsOf(kind).filter(({ name }) => name !== "prompt" || input["messages"] === undefined);
    let edit: Edit = { kind: "patch", patch: {} };
    let field: Field | undefined;
    await runSteps(l10n.t("Edit Operation"), [
      async (frame) => {
        const items = fields.map((each) => ({
          label: each.label,
          description: shown(each, input[each.name]),
          value: each,
        }));
        const chosen = await pickOne({ ...frame, placeholder: l10n.t("What to change"), items });
        if (chosen === back) return back;
        field = chosen;
        return "asked";
      },
      async (frame) => {
        if (field === undefined || field.how === "text") {
          edit = { kind: "text", field: field?.name === "prompt" ? "prompt" : "message" };
          return "skipped";
        }
        const value = await this.#value(frame, field, input);
        if (value === back) return back;
        edit = { kind: "patch", patch: { [field.name]: value } };
        return "asked";
      },
    ]);
    return edit;
  }

  #value(frame: Frame, field: Field, input: Input): Promise<string | boolean | readonly string[] | Back> {
    const value = text(input[field.name]);
    const worktree = text(input["worktree"]);
    const choose = (names: Promise<readonly string[]>): Promise<string | Back> =>
      pickOne({
        ...frame,
        placeholder: field.label,
        items: names.then((all) => presentFirst(all.map(plain), value)),
        typed: typedChoice,
      });
    switch (field.how) {
      case "text":
      case "line":
        return askText({
          ...frame,
          prompt: field.label,
          value,
          refuse: (typed) => (typed.trim() === "" ? l10n.t("Must not be empty.") : undefined),
        });
      case "branch":
        return choose(this.#choices.branches(worktree));
      case "remote":
        return choose(this.#choices.remotes(worktree));
      case "mode":
        return pickOne<string>({
          ...frame,
          placeholder: field.label,
          items: presentFirst(mergeModes(), value || "merge"),
        });
      case "push":
        return pickOne({
          ...frame,
          placeholder: field.label,
          items: presentFirst(mergePushes(), input["push"] === true),
        });
      case "files":
        return this.#files(frame, worktree, list(input["files"]));
    }
  }

  /** What is queued now stays ticked; content is pinned anew, as the files are now. */
  async #files(frame: Frame, worktree: string, queued: readonly string[]): Promise<readonly string[] | Back> {
    const changed = await this.#choices.changedFiles(worktree);
    const paths = new Set(changed.map(({ path }) => path));
    const gone = queued.filter((path) => !paths.has(path));
    if (changed.length + gone.length === 0)
      throw new NothingToDo(l10n.t("Nothing has changed in {0}.", worktree));
    const before = new Set(queued);
    return pickMany({
      ...frame,
      placeholder: l10n.t("Files to commit, as they are now"),
      missing: l10n.t("Choose at least one file."),
      items: [
        ...changed.map((file) => ({
          label: file.path,
          description: changeName(file),
          picked: before.size > 0 ? before.has(file.path) : file.staged,
          value: file.path,
        })),
        ...gone.map((path) => ({
          label: path,
          description: l10n.t("queued, no change now"),
          picked: true,
          value: path,
        })),
      ],
    });
  }
}

function fieldsOf(kind: OperationKind): readonly Field[] {
  const message: Field = { name: "message", label: l10n.t("Message"), how: "text" };
  const branch: Field = { name: "branch", label: l10n.t("Branch"), how: "branch" };
  switch (kind) {
    case "commit":
      return [message, { name: "files", label: l10n.t("Files"), how: "files" }, branch];
    case "push":
      return [branch, { name: "remote", label: l10n.t("Remote"), how: "remote" }];
    case "merge":
      return [
        { name: "source", label: l10n.t("Branch to merge"), how: "branch" },
        { name: "target", label: l10n.t("Target branch"), how: "branch" },
        message,
        { name: "mode", label: l10n.t("How to merge"), how: "mode" },
        { name: "push", label: l10n.t("Push afterwards"), how: "push" },
      ];
    case "request":
      return [
        { name: "prompt", label: l10n.t("Prompt"), how: "text" },
        { name: "model", label: l10n.t("Model"), how: "line" },
        { name: "type", label: l10n.t("Kind of work"), how: "line" },
      ];
  }
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const list = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];

/** Beside a field's name: a text's first line, how the list begins, or what was chosen. */
function shown({ how }: Field, value: unknown): string {
  switch (how) {
    case "mode":
      return mergeMode(value ?? "merge", l10n.t) ?? "";
    case "push":
      return mergePushes().find((choice) => choice.value === (value === true))?.label ?? "";
    default:
      return Array.isArray(value) ? list(value).join(", ") : (text(value).split("\n")[0] ?? "");
  }
}

/** What it is now comes first and says so, so that Enter leaves it. */
function presentFirst<T>(choices: readonly Choice<T>[], present: T): readonly Choice<T>[] {
  const [now] = choices.filter(({ value }) => value === present);
  if (!now) return choices;
  return [{ ...now, description: l10n.t("as it is now") }, ...choices.filter((choice) => choice !== now)];
}
