import { l10n } from "vscode";
import type { CommitInput, LlmRequestInput, MergeInput, PushInput } from "../../core/schema/inputs.ts";
import type { OfferedModel } from "../../llm/index.ts";
import type { Subject } from "../commands/caller.ts";
import type { DraftName, InputFlows } from "../commands/enqueue.ts";
import { NothingToDo } from "../commands/nothing-to-do.ts";
import type { GitChoices, WorktreeChoice } from "../parts.ts";
import { changeName } from "./change-name.ts";
import { askText, pickMany, pickOne, plain, typedChoice } from "./ask.ts";
import type { Choice } from "./ask.ts";
import { likelyFiles, worktreeChoice, worktreesByChanges } from "./commit-choices.ts";
import { likelySources, likelyTargets, repositoriesOf } from "./merge-choices.ts";
import { modelChoices } from "./model-choices.ts";
import { mergeModes, mergePushes } from "./merge-questions.ts";
import type { MergeMode } from "./merge-questions.ts";
import { branchesToPush, isUnborn } from "./push-branches.ts";
import { back, runSteps } from "./steps.ts";
import type { Frame, Step } from "./steps.ts";
import { worktreeOf } from "./worktree-of.ts";

/** What was typed and did not come into the queue, be it dismissed or refused; offered again next time. */
export interface Drafts {
  get(name: string): string | undefined;
  set(name: string, text: string | undefined): void;
  /** As `set`, at every change: it may be written a little later. */
  typing(name: string, text: string): void;
}

/** What the questions depend on. */
export interface FlowRules {
  readonly defaultModel: () => string;
  readonly models: () => Promise<readonly OfferedModel[]>;
  /** Why no request could be queued with this input, told to a person. */
  readonly refusal: (input: LlmRequestInput) => Promise<string | undefined>;
  /** Source Control's message boxes. */
  readonly sourceControl: {
    message(worktree: string): string;
    messageWasUsed(worktree: string, message: string): void;
  };
  /** Files in commits that are queued from a worktree. */
  readonly queuedFiles: (worktree: string) => ReadonlySet<string>;
  /** Branches that something queued from these worktrees goes onto. */
  readonly queuedBranches: (worktrees: readonly string[]) => ReadonlySet<string>;
  readonly count: (value: number) => string;
  /** US dollars as the reader's language writes them. */
  readonly usd: (value: number) => string;
}

/** Asks a person for inputs, step by step. */
export class Flows implements InputFlows {
  readonly #choices: GitChoices;
  readonly #drafts: Drafts;
  readonly #rules: FlowRules;
  /** The last commit that was asked for. */
  #committed: Pick<CommitInput, "worktree" | "message"> | undefined;

  constructor(choices: GitChoices, drafts: Drafts, rules: FlowRules) {
    this.#choices = choices;
    this.#drafts = drafts;
    this.#rules = rules;
  }

  wasQueued(draft: DraftName): void {
    if (draft === "prompt") this.#drafts.set(draft, undefined);
    else if (this.#committed) {
      const { worktree, message } = this.#committed;
      this.#drafts.set(commitDraft(worktree), undefined);
      this.#rules.sourceControl.messageWasUsed(worktree, message);
    }
  }

  async commit(subject: Subject): Promise<CommitInput> {
    const answers = { worktree: "", files: [] as readonly string[], message: "" };
    await runSteps(l10n.t("Queue Commit"), [
      this.#worktree(subject, answers, (worktrees) => this.#byChanges(worktrees)),
      async (frame) => {
        const files = await this.#files(frame, answers.worktree, subject);
        if (files === back) return back;
        answers.files = files;
        return "asked";
      },
      this.#text(answers, "message", {
        draft: () => commitDraft(answers.worktree),
        preset: () => this.#rules.sourceControl.message(answers.worktree),
        prompt: l10n.t("Commit message"),
        missing: l10n.t("Write a commit message."),
      }),
    ]);
    this.#committed = answers;
    return { worktree: answers.worktree, message: answers.message, files: [...answers.files] };
  }

  async push(subject: Subject): Promise<PushInput> {
    const answers = { worktree: "", branch: "", remote: "" };
    await runSteps(l10n.t("Queue Push"), [
      this.#worktree(subject, answers),
      this.#pushed(answers),
      async (frame) => {
        const remotes = await this.#choices.remotes(answers.worktree);
        const [only] = remotes;
        if (remotes.length < 2) {
          answers.remote = only ?? "";
          return "skipped";
        }
        const remote = await pickOne({
          ...frame,
          placeholder: l10n.t("Remote to push to"),
          items: remotes.map(plain),
        });
        if (remote === back) return back;
        answers.remote = remote;
        return "asked";
      },
    ]);
    return {
      worktree: answers.worktree,
      branch: answers.branch,
      ...(answers.remote ? { remote: answers.remote } : {}),
    };
  }

  async merge(subject: Subject): Promise<MergeInput> {
    const answers = { worktree: "", source: "", target: "", push: false };
    let mode: MergeMode = "merge";
    await runSteps(l10n.t("Queue Merge"), [
      this.#repository(subject, answers),
      async () => {
        const branches = await this.#choices.branches(answers.worktree);
        if (branches.length === 0)
          throw new NothingToDo(
            l10n.t("{0} has no commits yet, and a merge needs two branches with some.", answers.worktree),
          );
        if (branches.length === 1)
          throw new NothingToDo(
            l10n.t("{0} has one branch, and a merge needs two. Create another one first.", answers.worktree),
          );
        return "skipped";
      },
      this.#branch(answers, "source", () => l10n.t("Merge which branch?"), [], likelySources),
      this.#branch(
        answers,
        "target",
        () => l10n.t("Merge {0} into which branch?", answers.source),
        ["source"],
        likelyTargets,
      ),
      async (frame) => {
        const chosen = await pickOne({
          ...frame,
          placeholder: l10n.t("How to merge"),
          items: mergeModes(),
        });
        if (chosen === back) return back;
        mode = chosen;
        return "asked";
      },
      async (frame) => {
        const push = await pickOne({
          ...frame,
          placeholder: l10n.t("Push {0} afterwards?", answers.target),
          items: mergePushes(),
        });
        if (push === back) return back;
        answers.push = push;
        return "asked";
      },
    ]);
    return { ...answers, mode };
  }

  async request(): Promise<LlmRequestInput> {
    const answers = { type: "", model: "", prompt: "" };
    await runSteps(l10n.t("Queue LLM Request"), [
      async (frame) => {
        const type = await pickOne({
          ...frame,
          placeholder: l10n.t("Kind of work; choose one or type your own"),
          items: [
            { ...plain("implementer"), description: l10n.t("writes or changes something") },
            { ...plain("judge"), description: l10n.t("reviews, compares or rates something") },
            { ...plain("planner"), description: l10n.t("works out what to do") },
          ],
          prompt: l10n.t("Requests of one kind and one model share a batch."),
          typed: typedChoice,
        });
        if (type === back) return back;
        answers.type = type;
        return "asked";
      },
      async (frame) => {
        const model = await pickOne({
          ...frame,
          placeholder: l10n.t("Model; choose one or type its id"),
          items: modelChoices(this.#rules, answers.model),
          typed: typedChoice,
          // Before a prompt is typed, which takes longer than anything else here.
          refuse: (chosen) => this.#rules.refusal({ ...answers, model: chosen, prompt: "?" }),
        });
        if (model === back) return back;
        answers.model = model;
        return "asked";
      },
      this.#text(answers, "prompt", {
        draft: () => "prompt",
        preset: () => "",
        prompt: l10n.t("Prompt"),
        missing: l10n.t("Write a prompt."),
      }),
    ]);
    return answers;
  }

  #worktree(
    subject: Subject,
    answers: { worktree: string },
    choices: (worktrees: readonly WorktreeChoice[]) => PickItems = (worktrees) =>
      worktrees.map((worktree) => worktreeChoice(worktree, l10n.t)),
  ): Step {
    return async (frame) => {
      const worktrees = await this.#choices.worktrees();
      if (worktrees.length === 0) throw noRepository();
      const given = worktreeOf(subject, worktrees) ?? (worktrees.length === 1 ? worktrees[0] : undefined);
      if (given) {
        answers.worktree = given.path;
        return "skipped";
      }
      const chosen = await pickOne({
        ...frame,
        placeholder: l10n.t("Worktree"),
        items: choices(worktrees),
        // Before files are chosen and a message is written.
        refuse: (path) =>
          worktrees.find((worktree) => worktree.path === path)?.branch === undefined
            ? l10n.t("It has a detached HEAD. Check out a branch there first.")
            : undefined,
      });
      if (chosen === back) return back;
      answers.worktree = chosen;
      return "asked";
    };
  }

  /** For what is done without a checkout: any worktree of the repository will do. */
  #repository(subject: Subject, answers: { worktree: string }): Step {
    return async (frame) => {
      const worktrees = await this.#choices.worktrees();
      const given = worktreeOf(subject, worktrees);
      const repositories = repositoriesOf(worktrees);
      const only = given ?? (repositories.length === 1 ? repositories[0] : undefined);
      if (only) {
        answers.worktree = only.path;
        return "skipped";
      }
      if (repositories.length === 0) throw noRepository();
      const chosen = await pickOne({
        ...frame,
        placeholder: l10n.t("Repository"),
        items: repositories.map(({ repository, path, main }) => ({
          label: repository,
          detail: main,
          value: path,
        })),
      });
      if (chosen === back) return back;
      answers.worktree = chosen;
      return "asked";
    };
  }

  async #byChanges(worktrees: readonly WorktreeChoice[]): Promise<readonly Choice<string>[]> {
    const counts = new Map<string, number>();
    // One that cannot be read must not hide the others; choosing it says why.
    await Promise.allSettled(
      worktrees.map(async ({ path }) => {
        counts.set(path, (await this.#choices.changedFiles(path)).length);
      }),
    );
    return worktreesByChanges(worktrees, counts, l10n.t);
  }

  #pushed(answers: { worktree: string; branch: string }): Step {
    return async (frame) => {
      const [choices, worktrees] = await Promise.all([
        this.#choices.pushes(answers.worktree),
        this.#choices.worktrees(),
      ]);
      const main = worktrees.find(({ path }) => path === answers.worktree)?.main;
      const own = worktrees.filter((worktree) => worktree.main === main).map(({ path }) => path);
      const queued = this.#rules.queuedBranches(own);
      const chosen = await pickOne({
        ...frame,
        placeholder: l10n.t("Push which branch?"),
        items: branchesToPush(choices, queued, l10n.t, this.#rules.count),
        refuse: (branch) =>
          isUnborn(choices, queued, branch)
            ? l10n.t("{0} has no commits yet. Queue a commit first; then it can be pushed.", branch)
            : undefined,
      });
      if (chosen === back) return back;
      answers.branch = chosen;
      return "asked";
    };
  }

  #branch<Key extends string>(
    answers: { worktree: string } & Record<Key, string>,
    key: Key,
    placeholder: () => string,
    except: readonly Key[],
    order?: typeof likelySources,
  ): Step {
    return async (frame) => {
      const taken = new Set<string>(except.map((other) => answers[other]));
      const all = await this.#choices.branches(answers.worktree);
      const sorted = order?.(all, await this.#choices.worktrees(), answers.worktree) ?? all;
      const branches = sorted.filter((name) => !taken.has(name));
      if (branches.length === 0) throw new Error(l10n.t("There is no branch to choose from."));
      const chosen = await pickOne({ ...frame, placeholder: placeholder(), items: branches.map(plain) });
      if (chosen === back) return back;
      answers[key] = chosen as (typeof answers)[Key];
      return "asked";
    };
  }

  #text<Key extends string>(
    answers: Record<Key, string>,
    key: Key,
    { draft, preset, prompt, missing }: TextQuestion,
  ): Step {
    return async (frame) => {
      const name = draft();
      const text = await askText({
        ...frame,
        prompt,
        value: answers[key] || preset() || (this.#drafts.get(name) ?? ""),
        refuse: required(missing),
        typing: (typed) => this.#drafts.typing(name, typed),
        kept: (typed) => this.#drafts.set(name, typed),
      });
      if (text === back) return back;
      // Until it is queued, for it may be refused.
      this.#drafts.set(name, text);
      answers[key] = text;
      return "asked";
    };
  }

  async #files(frame: Frame, worktree: string, subject: Subject): ReturnType<typeof pickMany<string>> {
    const changed = await this.#choices.changedFiles(worktree);
    if (changed.length === 0) throw new NothingToDo(l10n.t("Nothing has changed in {0}.", worktree));
    const pointedAt = new Set(subject.kind === "files" ? subject.files : []);
    const queued = this.#rules.queuedFiles(worktree);
    const likely = likelyFiles(changed, pointedAt, worktree, queued);
    return pickMany({
      ...frame,
      placeholder: l10n.t("Files to commit, as they are now"),
      missing: l10n.t("Choose at least one file."),
      items: changed.map((file) => ({
        label: file.path,
        description: queued.has(file.path)
          ? l10n.t("{0}, in a queued commit", changeName(file))
          : changeName(file),
        picked: likely.has(file.path),
        value: file.path,
      })),
    });
  }
}

interface TextQuestion {
  /** Under which name what was typed is kept. */
  readonly draft: () => string;
  /** What somebody wrote elsewhere for this; it comes before a draft. */
  readonly preset: () => string;
  readonly prompt: string;
  readonly missing: string;
}

/** A message is about the changes of one worktree. */
const commitDraft = (worktree: string): string => `commit:${worktree}`;

type PickItems = readonly Choice<string>[] | Promise<readonly Choice<string>[]>;

const noRepository = (): Error =>
  new Error(l10n.t("No git repository is open in this window. Open a folder of one first."));

const required = (message: string) => (text: string) => (text.trim() === "" ? message : undefined);
