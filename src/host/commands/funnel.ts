import { InputError, JournalError, StateError } from "../../core/errors.ts";
import { asksForKey, isLimit } from "../hold-words.ts";
import type { Hold } from "../../core/snapshot.ts";
import type { Logger } from "../../core/ports.ts";
import type { Translate } from "../l10n.ts";
import { errorText } from "../reason-words.ts";
import { HeldError } from "./held-error.ts";
import type { Call } from "./caller.ts";
import { Cancelled } from "./cancelled.ts";
import { commandPrefix } from "./command.ts";
import type { AnyCommand } from "./command.ts";
import { NothingToDo } from "./nothing-to-do.ts";
import { WordedError } from "../worded-error.ts";

/** Something that mends what a message is about. */
export type Remedy = "setApiKey" | "manageTrust" | "resume" | "flush" | "showLog";

export interface FunnelDeps {
  readonly log: Logger;
  readonly t: Translate;
  readonly isTrusted: () => boolean;
  /** Shows an error to a person; runs the remedy they choose. Never rejects. */
  readonly tell: (message: string, remedies: readonly Remedy[]) => void;
  /** Shows to a person what is no error. Never rejects. */
  readonly inform: (message: string) => void;
}

/**
 * Runs a command for whoever calls it. From code it rejects with what went wrong. A person gets a message instead, and
 * dismissing a question is no error at all.
 */
export async function runCommand(
  name: string,
  command: AnyCommand<unknown>,
  call: Call,
  deps: FunnelDeps,
): Promise<unknown> {
  try {
    if (command.trusted && !deps.isTrusted()) throw untrusted(deps.t);
    return await answer(command, call);
  } catch (error) {
    if (error instanceof Cancelled) return undefined;
    const message = error instanceof Error ? error.message : String(error);
    // A refusal is an answer; anything else is worth its stack.
    if (isExpected(error)) deps.log.info(`${commandPrefix}${name}: ${message}`);
    else deps.log.error(`${commandPrefix}${name} failed.`, error);
    if (call.from !== "person" && call.from !== "view")
      throw error instanceof Error ? error : new Error(message);
    if (error instanceof NothingToDo) deps.inform(message);
    else if (error instanceof StateError && nothingThere.has(error.reason))
      deps.inform(forPerson(error, deps.t));
    else deps.tell(forPerson(error, deps.t), remediesFor(error));
    return undefined;
  }
}

/** That there is nothing to show or to change is an answer, too. */
const nothingThere: ReadonlySet<string> = new Set(["no-changes", "no-file", "not-final"]);

/** An id is a name for code; a person pointed at the thing. */
function forPerson(error: unknown, t: Translate): string {
  return errorText(error, t).replace(/^ids?: (.)/u, (_, first: string) => first.toLocaleUpperCase());
}

function answer(command: AnyCommand<unknown>, call: Call): Promise<unknown> {
  switch (call.from) {
    case "code":
    case "tool":
    case "cli":
    case "mcp":
      return command.fromCode(call.input, call.from);
    case "mistake":
      return Promise.reject(call.error);
    case "view":
      return command.fromView(call.input);
    case "person":
      return command.fromPerson(call.subject);
  }
}

export const untrusted = (t: Translate): StateError =>
  new WordedError(
    "untrusted",
    t(
      "This workspace is not trusted, so nothing is queued, executed or changed. Grant workspace trust first.",
    ),
  );

/** A refusal that the caller can understand and mend. */
export const isExpected = (error: unknown): boolean =>
  error instanceof InputError ||
  error instanceof StateError ||
  error instanceof JournalError ||
  error instanceof NothingToDo;

/** What mends a hold: another key, a flush that asks, or another attempt. */
export function remediesOf(hold: Hold): readonly Remedy[] {
  if (asksForKey(hold)) return ["setApiKey"];
  return isLimit(hold) ? ["flush"] : ["resume", "showLog"];
}

function remediesFor(error: unknown): readonly Remedy[] {
  if (error instanceof StateError && error.reason === "untrusted") return ["manageTrust"];
  if (error instanceof HeldError) return remediesOf(error.hold);
  return error instanceof InputError ? [] : ["showLog"];
}
