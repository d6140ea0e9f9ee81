import { isAbsolute } from "node:path";
import * as v from "valibot";
import { InputError } from "../../core/errors.ts";
import { isFinal } from "../../core/operation.ts";
import { parseInput } from "../../core/schema/inputs.ts";
import type { OperationView } from "../../core/snapshot.ts";
import type { Translate } from "../l10n.ts";
import type { AnsweredRequests } from "../results/answered.ts";
import type { Change, Plan } from "../results/changes.ts";
import { Reviewed } from "../results/reviewed.ts";
import { saveAll } from "../results/save-all.ts";
import type { SaveWatch } from "../results/save-all.ts";
import type { Pickers } from "../ui/pickers.ts";
import type { Subject } from "./caller.ts";
import { define } from "./command.ts";
import type { AnyCommand, Caller, CommandTable } from "./command.ts";
import { operationsIn } from "./subjects.ts";
import { WordedError } from "../worded-error.ts";

const id = v.pipe(v.string("must be the id of a request"), v.uuid("is not an id"));
const idInput = v.strictObject({ id });
const pairInput = v.strictObject({ ids: v.tuple([id, id], "must be two ids") });
const saveInput = v.strictObject({
  batch: v.pipe(v.string("must be the id of a batch"), v.uuid("is not an id")),
  folder: v.pipe(
    v.string("must be the absolute path of a folder"),
    v.check(isAbsolute, "must be the absolute path of a folder"),
  ),
});
const applyInput = v.strictObject({
  id,
  files: v.pipe(
    v.array(v.string("must be a path"), "must be a list of the files to change"),
    v.nonEmpty("is empty; name the files to change"),
  ),
});

/** What the commands do in the window. Each question rejects with `Cancelled` when dismissed. */
export interface ResultWindow {
  /** The request whose result, or what it would change, is shown in the active editor. */
  current(): string | undefined;
  /** The same of a document that a menu was opened on. */
  shownIn(files: readonly string[]): string | undefined;
  open(id: string): Promise<void>;
  compare(ids: readonly [string, string]): Promise<void>;
  /** At the cursor of the file that was last worked on. */
  insert(text: string): Promise<void>;
  copy(text: string): Promise<void>;
  /** Says for a moment that something is done. */
  hint(message: string): void;
  folder(): Promise<string>;
  /** Shows how far saving is, with a button that aborts it. */
  watchSaving<T>(work: (watch: SaveWatch) => Promise<T>): Promise<T>;
  /** Says how many files were written, and leads to them. */
  tellSaved(folder: string, files: number): void;
  /** Whether the answer of a request holds a file or a diff, by what is quickly read of it. */
  holdsFiles(id: string): Promise<boolean>;
  /** What the answer of a request would make of files, as they are now. */
  plan(id: string): Promise<Plan>;
  /** Shows every change in the diff editor. */
  review(id: string, plan: Plan): Promise<void>;
  choose(plan: Plan): Promise<readonly string[]>;
  /** All of them as one edit that can be undone. `tells`: a person is told, and can have back what was deleted. */
  apply(changes: readonly Change[], tells: boolean): Promise<void>;
}

type Names =
  | "nextResult"
  | "previousResult"
  | "compareResults"
  | "insertResult"
  | "copyResult"
  | "saveResults"
  | "reviewResult"
  | "applyResult";

/** What can be done with the results of LLM requests. */
export function resultCommands(
  answered: AnsweredRequests,
  pickers: Pickers,
  window: ResultWindow,
  t: Translate,
): Pick<CommandTable, Names> {
  const ended = ({ kind, status }: OperationView): boolean =>
    kind === "request" && isFinal(status) && status !== "cancelled";
  type Pick = (title: string) => Promise<readonly [string]>;
  const anyResult: Pick = (title) =>
    pickers.operation(ended, t("There is no finished LLM request yet."), title);
  const answerOther =
    (except: string | undefined): Pick =>
    (title) =>
      pickers.operationRead(
        (view) => ended(view) && view.id !== except,
        (request) => answered.hasText(request),
        except === undefined
          ? t("There is no answered LLM request yet.")
          : t("There is no other answered LLM request to compare with."),
        title,
      );
  const answer = answerOther(undefined);
  const filesIn: Pick = (title) =>
    pickers.operationRead(
      ended,
      (request) => window.holdsFiles(request),
      t("No answer of an LLM request holds a file or a diff."),
      title,
    );
  const askFor =
    (title: string, pick: Pick) =>
    async (subject: Subject): Promise<{ id: string }> => ({
      id: pointedAt(subject, window)[0] ?? (await pick(title))[0],
    });
  const onResult = (
    title: string,
    pick: Pick,
    trusted: boolean,
    run: (id: string, caller: Caller) => Promise<void>,
  ): AnyCommand<undefined> =>
    define({
      trusted,
      parse: (input) => parseInput(idInput, input),
      ask: askFor(title, pick),
      run: async (input, caller) => {
        await run(input.id, caller);
        return undefined;
      },
    });
  const planOf = async (request: string): Promise<Plan> => {
    const plan = await window.plan(request);
    if (plan.changes.length > 0) return plan;
    const [refused] = plan.refused;
    throw new WordedError(
      "nothing-to-apply",
      refused
        ? t("id: nothing of this answer can be applied. {0}: {1}.", refused.name, refused.reason)
        : t("id: this answer holds no file and no diff that would change anything."),
    );
  };

  const reviewed = new Reviewed();
  const review = async (request: string, plan: Plan): Promise<void> => {
    reviewed.show(request, plan);
    await window.review(request, plan);
  };

  return {
    nextResult: onResult(t("Next Result of Batch"), anyResult, false, async (request) =>
      window.open(await answered.neighbour(request, 1)),
    ),
    previousResult: onResult(t("Previous Result of Batch"), anyResult, false, async (request) =>
      window.open(await answered.neighbour(request, -1)),
    ),
    compareResults: define({
      trusted: false,
      parse: (input) => parseInput(pairInput, input),
      ask: async (subject) => {
        const [one, two] = pointedAt(subject, window);
        const title = t("Compare Results");
        const first = one ?? (await answer(title))[0];
        const second = two ?? (await answerOther(first)(title))[0];
        return { ids: [first, second] satisfies [string, string] };
      },
      run: async ({ ids }) => {
        await window.compare(ids);
        return undefined;
      },
    }),
    insertResult: onResult(t("Insert Result at Cursor"), answer, true, async (request) =>
      window.insert(await answered.text(request)),
    ),
    copyResult: onResult(t("Copy Result"), answer, false, async (request, caller) => {
      await window.copy(await answered.text(request));
      if (caller === "person") window.hint(t("Result copied"));
    }),
    saveResults: define({
      trusted: true,
      parse: (input) => parseInput(saveInput, input),
      ask: async (subject) => ({
        batch: await batchOf(subject, answered, pickers, window, t),
        folder: await window.folder(),
      }),
      run: async ({ batch, folder }, caller) => {
        const save = (watch?: SaveWatch) => saveAll(batch, folder, answered, watch);
        const files = await (caller === "person" ? window.watchSaving(save) : save());
        if (caller === "person") window.tellSaved(folder, files.length);
        return { files };
      },
    }),
    reviewResult: define({
      trusted: true,
      parse: (input) => parseInput(idInput, input),
      ask: askFor(t("Review Changes of Result"), filesIn),
      run: async (input) => {
        const plan = await planOf(input.id);
        await review(input.id, plan);
        return { files: plan.changes.map(({ name }) => name), refused: plan.refused };
      },
    }),
    applyResult: define({
      trusted: true,
      parse: (input) => parseInput(applyInput, input),
      ask: async (subject) => {
        const { id: request } = await askFor(t("Apply Changes of Result"), filesIn)(subject);
        const plan = await planOf(request);
        // What was shown in full counts, not the list of names that is chosen from now.
        if (!reviewed.isShown(request)) reviewed.show(request, plan);
        return { id: request, files: [...(await window.choose(plan))] };
      },
      run: async (input, caller) => {
        const plan = await planOf(input.id);
        const { changes } = plan;
        const [edited] = reviewed.edited(
          input.id,
          changes.filter(({ name }) => input.files.includes(name)),
        );
        if (edited) {
          if (caller === "person") await review(input.id, plan);
          throw new WordedError(
            "changed",
            t(
              "{0} was edited after this change was shown, so nothing was applied. Review it again.",
              edited.name,
            ),
          );
        }
        const unknown = input.files.find((file) => !changes.some(({ name }) => name === file));
        if (unknown !== undefined)
          throw new InputError("files", `${unknown} is not among what this answer can change`);
        await window.apply(
          changes.filter(({ name }) => input.files.includes(name)),
          caller === "person",
        );
        reviewed.forget(input.id);
        return { files: input.files };
      },
    }),
  };
}

/** Ids of the requests that a menu was opened on, else of the one whose result is shown. */
function pointedAt(subject: Subject, window: Pick<ResultWindow, "current" | "shownIn">): readonly string[] {
  if (subject.kind === "nodes" || subject.kind === "operations") return operationsIn(subject);
  const shown = (subject.kind === "files" ? window.shownIn(subject.files) : undefined) ?? window.current();
  return shown === undefined ? [] : [shown];
}

async function batchOf(
  subject: Subject,
  answered: AnsweredRequests,
  pickers: Pickers,
  window: Pick<ResultWindow, "current" | "shownIn">,
  t: Translate,
): Promise<string> {
  const [node] = subject.kind === "nodes" ? subject.nodes : [];
  if (node?.ref.kind === "batch") return node.ref.batch;
  const [request] = pointedAt(subject, window);
  const batch = request === undefined ? undefined : (await answered.find(request)).operation.batch;
  return (
    batch ??
    (
      await pickers.batch(
        ({ group, endedAt }) => group.startsWith("llm:") && endedAt !== undefined,
        t("There is no finished batch of LLM requests yet."),
        t("Save All Results of Batch"),
      )
    )[0]
  );
}
