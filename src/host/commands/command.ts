import type { Result } from "../../core/result.ts";
import type { BatchView, OperationView, Snapshot } from "../../core/snapshot.ts";
import type { FlushPlan } from "../flush-plan.ts";
import type { UndoReport } from "../parts.ts";
import type { DryRun } from "../prompts/dry-run.ts";
import type { Imported } from "../files/import.ts";
import type { Refused } from "../results/changes.ts";
import type { Subject } from "./caller.ts";

/** `person`: somebody is there to answer. The others are refused what they would be asked. */
export type Caller = "person" | "code" | "tool" | "cli" | "mcp";

/** One command: how its argument is checked or asked for, and what it then does. */
export interface Command<Input, Answer> {
  /** Refused in a workspace that is not trusted. */
  readonly trusted: boolean;
  /** The argument from code. Throws `InputError` naming the field. */
  parse(input: unknown): Input;
  /** The same from a person. Rejects with `Cancelled` when dismissed. */
  ask(subject: Subject): Promise<Input>;
  run(input: Input, caller: Caller): Promise<Answer>;
}

/** What each command answers to code. */
export interface Answers {
  enqueueCommit: { readonly id: string };
  enqueuePush: { readonly id: string };
  enqueueMerge: { readonly id: string };
  enqueueRequest: { readonly id: string };
  runPromptOnFiles: { readonly ids: readonly string[] };
  tryWithoutKey: DryRun;
  newPrompt: undefined;
  importRequests: Imported;
  exportResults: { readonly count: number };
  exportHistory: { readonly count: number };
  flush: FlushAnswer;
  flushRequests: FlushAnswer;
  previewFlush: FlushPlan;
  pause: undefined;
  resume: undefined;
  clear: undefined;
  cancelOperation: undefined;
  editOperation: undefined;
  moveOperation: undefined;
  retryOperation: { readonly id: string };
  undoBatch: UndoReport;
  cancelBatch: undefined;
  retryBatch: { readonly ids: readonly string[] };
  openPanel: undefined;
  openResult: undefined;
  nextResult: undefined;
  previousResult: undefined;
  compareResults: undefined;
  insertResult: undefined;
  copyResult: undefined;
  saveResults: { readonly files: readonly string[] };
  reviewResult: Reviewed;
  applyResult: { readonly files: readonly string[] };
  getResult: Result;
  getOperations: readonly OperationView[];
  getState: Snapshot;
  setApiKey: undefined;
  forgetApiKey: undefined;
  showLog: undefined;
  openChanges: { readonly files: readonly string[] };
  openFile: { readonly files: readonly string[] };
  openDetails: undefined;
  openWorktree: { readonly worktree: string };
  moveUp: undefined;
  moveDown: undefined;
  copyId: undefined;
  /** As `cancelOperation`, from the icon on a row: who points at rows does not work from the focus. */
  cancelRow: undefined;
  showMore: undefined;
  dismissFailed: undefined;
  retryFailed: { readonly ids: readonly string[] };
  cancelPlace: undefined;
}

/** `outcomes`: every waited-for operation's last status, by operation id. */
export interface FlushAnswer {
  readonly batches: readonly BatchView[];
  readonly outcomes?: Readonly<Record<string, string>>;
}

/** Names relative to their folder: what an answer would change, and what of it is refused. */
interface Reviewed {
  readonly files: readonly string[];
  readonly refused: readonly Refused[];
}

export type CommandName = keyof Answers;
export const commandPrefix = "batchControl.";

/** A command whose input type only it knows. */
export interface AnyCommand<Answer> {
  readonly trusted: boolean;
  /** `caller`: `code`, or an agent that is refused what code is. */
  fromCode(input: unknown, caller?: Exclude<Caller, "person">): Promise<Answer>;
  fromPerson(subject: Subject): Promise<Answer>;
  /** From a person whose view already says all; nothing is asked. */
  fromView(input: unknown): Promise<Answer>;
}

export type CommandTable = { readonly [Name in CommandName]: AnyCommand<Answers[Name]> };

/** Hides the input type, so that commands of all kinds fit one table. */
export function define<Input, Answer>(command: Command<Input, Answer>): AnyCommand<Answer> {
  return {
    trusted: command.trusted,
    fromCode: async (input, caller = "code") => command.run(command.parse(input), caller),
    fromView: async (input) => command.run(command.parse(input), "person"),
    fromPerson: async (subject) => command.run(await command.ask(subject), "person"),
  };
}
