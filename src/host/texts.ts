import { readFile } from "node:fs/promises";
import { env, l10n, window, workspace } from "vscode";
import type { Disposable } from "vscode";
import type { Clock } from "../core/ports.ts";
import type { CommandTable } from "./commands/command.ts";
import { inspectCommands } from "./commands/inspect.ts";
import { fileCommands } from "./commands/files.ts";
import { promptCommands } from "./commands/prompts.ts";
import { sampleCommands } from "./commands/samples.ts";
import { resultCommands } from "./commands/results.ts";
import { fileQuestions } from "./files/file-questions.ts";
import { FileContents } from "./inspect/contents.ts";
import type { ContextKeys } from "./context-keys.ts";
import { DetailsActions } from "./inspect/details-actions.ts";
import { detailsIdOf } from "./inspect/details-path.ts";
import { Inspector } from "./inspect/inspector.ts";
import type { Log } from "./log.ts";
import { openTabs } from "./open-tabs.ts";
import type { Parts } from "./parts.ts";
import { numbersIn } from "./numbers.ts";
import { dryRun, dryRunMarkdown, samplePrompt } from "./prompts/dry-run.ts";
import { showRendered } from "./show-rendered.ts";
import { askForRun } from "./prompts/ask-for-run.ts";
import { surroundings } from "./prompts/surroundings.ts";
import { AnsweredRequests } from "./results/answered.ts";
import { ResultDocuments } from "./results/documents.ts";
import { LastFile } from "./results/last-file.ts";
import { resultWindow } from "./results/result-window.ts";
import type { Pickers } from "./ui/pickers.ts";
import { SCHEME } from "./scheme.ts";
import { VirtualDocuments } from "./virtual-documents.ts";

/** Open details are read anew at most so often. */
const SETTLED_MS = 400;

type Names = keyof (ReturnType<typeof promptCommands> &
  ReturnType<typeof sampleCommands> &
  ReturnType<typeof fileCommands> &
  ReturnType<typeof resultCommands> &
  ReturnType<typeof inspectCommands>);

/** Everything that is shown as text: prompts, files of requests, results, and what stands behind an operation. */
export class Texts implements Disposable {
  readonly results: ResultDocuments;
  readonly #parts: Parts;
  readonly #samples: string;
  readonly #answered: AnsweredRequests;
  readonly #contents: FileContents;
  readonly #documents: VirtualDocuments;
  readonly #inspector: Inspector;
  readonly #lastFile = new LastFile();
  readonly #actions: DetailsActions;
  readonly #tabs: Disposable;
  readonly #clock: Pick<Clock, "after">;
  #cancelTimer: (() => void) | undefined;

  /** `samples`: the absolute path of the samples that come with the extension. */
  constructor(
    parts: Parts,
    samples: string,
    clock: Pick<Clock, "after">,
    menus: { readonly contextKeys: ContextKeys; readonly log: Log },
  ) {
    this.#clock = clock;
    this.#parts = parts;
    this.#samples = samples;
    this.#answered = new AnsweredRequests(parts.journal, l10n.t);
    this.#contents = new FileContents(parts, l10n.t);
    this.#documents = new VirtualDocuments([
      (address) => this.results.text(address),
      ({ query }) => this.#contents.text(query),
      ({ path }) => this.#inspector.details(path),
    ]);
    this.#inspector = new Inspector(parts, this.#contents, this.#documents);
    this.results = new ResultDocuments({
      answered: this.#answered,
      live: parts.live,
      settled: (id) => parts.state.settled(id),
      changed: (path) => this.#documents.changed(path),
    });
    this.#actions = new DetailsActions({ journal: parts.journal, ...menus });
    const look = (): void => this.#actions.update(openDetails());
    this.#tabs = window.tabGroups.onDidChangeTabs(look);
    look();
  }

  commands(pickers: Pickers, defaultModel: () => string): Pick<CommandTable, Names> {
    const parts = this.#parts;
    const around = surroundings(defaultModel);
    const documents = this.#documents;
    const shown = resultWindow({
      answered: this.#answered,
      results: this.results,
      documents,
      lastFile: this.#lastFile,
      llm: parts.llm,
      folders: () => around.folders(),
    });
    return {
      ...promptCommands(parts, around, askForRun({ parts, around, documents, locale: env.language })),
      ...sampleCommands({
        dryRun: () => dryRun(this.#samples, around, parts.requests),
        show: async (run) => {
          const text = dryRunMarkdown(run, numbersIn(env.language), l10n.t);
          await showRendered(documents.show(`/sample/${l10n.t("Dry run")}.md`, text));
        },
        newPrompt: async () => {
          const content = await readFile(samplePrompt(this.#samples), "utf8");
          await window.showTextDocument(await workspace.openTextDocument({ content, language: "markdown" }));
        },
      }),
      ...fileCommands(parts, fileQuestions),
      ...inspectCommands(this.#inspector, pickers, l10n.t),
      ...resultCommands(this.#answered, pickers, shown, l10n.t),
    };
  }

  /** Call when operations may have changed. */
  update(): void {
    this.#cancelTimer ??= this.#clock.after(SETTLED_MS, () => {
      this.#cancelTimer = undefined;
      for (const path of openDetails()) this.#documents.changed(path);
      this.#actions.update(openDetails());
    });
  }

  dispose(): void {
    this.#cancelTimer?.();
    this.results.dispose();
    this.#documents.dispose();
    this.#lastFile.dispose();
    this.#tabs.dispose();
  }
}

const openDetails = (): readonly string[] =>
  openTabs(SCHEME).flatMap(({ path }) => (detailsIdOf(path) === undefined ? [] : [path]));
