import { exportResults, parseExport } from "../files/export.ts";
import { exportHistory, parseHistory } from "../files/history.ts";
import type { HistoryInput } from "../files/history.ts";
import { importRequests, parseImport } from "../files/import.ts";
import type { BadLine, Imported, ImportWatch } from "../files/import.ts";
import type { Parts } from "../parts.ts";
import type { Subject } from "./caller.ts";
import { define } from "./command.ts";
import type { CommandTable } from "./command.ts";
import { asked } from "./asked.ts";

/** How a person chooses files and follows what happens to them. Each question rejects with `Cancelled` when dismissed. */
export interface FileQuestions {
  /** A file of requests. */
  source(): Promise<string>;
  /** Where results go. */
  target(): Promise<string>;
  /** Whether to queue the good lines without the bad ones; a no is a `Cancelled`. */
  skipBad(bad: readonly BadLine[], good: number): Promise<boolean>;
  /** Shows progress, with a button that aborts, while `work` runs. */
  watched<T>(work: (watch: Pick<ImportWatch, "signal" | "progress">) => Promise<T>): Promise<T>;
  tellImported(imported: Imported): void;
  tellExported(file: string, count: number): void;
  /** Where the history goes. */
  historyTarget(): Promise<string>;
  tellHistory(file: string, count: number): void;
}

/** Requests and results as files. */
export function fileCommands(
  parts: Pick<Parts, "journal" | "llm" | "requests">,
  questions: FileQuestions,
): Pick<CommandTable, "importRequests" | "exportResults" | "exportHistory"> {
  return {
    importRequests: define({
      trusted: true,
      parse: parseImport,
      ask: async (subject) => parseImport({ file: fileOf(subject) ?? (await questions.source()) }),
      run: async ({ file, skipBad }, caller) => {
        const bring = (watch: ImportWatch) => importRequests(file, parts, watch, asked(caller));
        if (caller !== "person") return bring({ skipBad: () => Promise.resolve(skipBad ?? false) });
        const imported = await questions.watched((watch) =>
          bring({ ...watch, skipBad: (bad, good) => questions.skipBad(bad, good) }),
        );
        questions.tellImported(imported);
        return imported;
      },
    }),
    exportResults: define({
      trusted: true,
      parse: parseExport,
      ask: async (subject) => {
        const [node] = subject.kind === "nodes" ? subject.nodes : [];
        const batch = node?.ref.kind === "batch" ? { batch: node.ref.batch } : {};
        return { ...batch, file: await questions.target() };
      },
      run: async (input, caller) => {
        const answer = await exportResults(input, parts);
        if (caller === "person") questions.tellExported(input.file, answer.count);
        return answer;
      },
    }),
    exportHistory: define({
      trusted: true,
      parse: parseHistory,
      ask: async (): Promise<HistoryInput> => ({ file: await questions.historyTarget() }),
      run: async (input, caller) => {
        const answer = await exportHistory(input, parts);
        if (caller === "person") questions.tellHistory(input.file, answer.count);
        return answer;
      },
    }),
  };
}

const fileOf = (subject: Subject): string | undefined =>
  subject.kind === "files" ? subject.files[0] : undefined;
