import { env, l10n } from "vscode";
import type { Disposable } from "vscode";
import type { CommandTable } from "./commands/command.ts";
import { fileCommands } from "./commands/files.ts";
import { promptCommands } from "./commands/prompts.ts";
import { resultCommands } from "./commands/results.ts";
import { fileQuestions } from "./files/file-questions.ts";
import type { Parts } from "./parts.ts";
import { askForRun } from "./prompts/ask-for-run.ts";
import { surroundings } from "./prompts/surroundings.ts";
import { AnsweredRequests } from "./results/answered.ts";
import { ResultDocuments } from "./results/documents.ts";
import { LastFile } from "./results/last-file.ts";
import { resultWindow } from "./results/result-window.ts";
import type { Pickers } from "./ui/pickers.ts";
import { VirtualDocuments } from "./virtual-documents.ts";

type Names = keyof (ReturnType<typeof promptCommands> &
  ReturnType<typeof fileCommands> &
  ReturnType<typeof resultCommands>);

/** Prompts, files of requests, and results: what goes to models as text and what comes back. */
export class Texts implements Disposable {
  readonly results: ResultDocuments;
  readonly #parts: Parts;
  readonly #answered: AnsweredRequests;
  readonly #documents: VirtualDocuments;
  readonly #lastFile = new LastFile();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#answered = new AnsweredRequests(parts.journal, l10n.t);
    this.#documents = new VirtualDocuments([(path) => this.results.text(path)]);
    this.results = new ResultDocuments({
      answered: this.#answered,
      live: parts.live,
      settled: (id) => parts.state.settled(id),
      changed: (path) => this.#documents.changed(path),
    });
  }

  commands(pickers: Pickers, defaultModel: () => string): Pick<CommandTable, Names> {
    const parts = this.#parts;
    const around = surroundings(defaultModel);
    const documents = this.#documents;
    const window = resultWindow({
      answered: this.#answered,
      results: this.results,
      documents,
      lastFile: this.#lastFile,
      llm: parts.llm,
      folders: () => around.folders(),
    });
    return {
      ...promptCommands(parts, around, askForRun({ parts, around, documents, locale: env.language })),
      ...fileCommands(parts, fileQuestions),
      ...resultCommands(this.#answered, pickers, window, l10n.t),
    };
  }

  dispose(): void {
    this.results.dispose();
    this.#documents.dispose();
    this.#lastFile.dispose();
  }
}
