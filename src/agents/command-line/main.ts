import { setTimeout as pause } from "node:timers/promises";
import { agentError, AgentError } from "../agent-error.ts";
import type { ErrorData } from "../agent-error.ts";
import type { ClientCall } from "../client.ts";
import { oneLine } from "./answers.ts";
import { ask } from "./ask-command.ts";
import type { Command, Outcome } from "./command.ts";
import { commit, merge, push } from "./git-commands.ts";
import { helpOf, helpOfAll, PROGRAM, usageLine } from "./help.ts";
import { flush, state, wait } from "./other-commands.ts";
import { directoryAt, Session, STOPPED } from "./session.ts";
import { UsageError } from "./usage-error.ts";

export interface MainDeps {
  readonly args: readonly string[];
  /** Throws where the folder is gone. */
  readonly cwd: () => string;
  readonly version: () => string;
  readonly call: (call: ClientCall, signal: AbortSignal) => Promise<unknown>;
  readonly readInput: () => Promise<string>;
  /** Both take whole lines. */
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
  /** Aborted when the person has waited long enough. */
  readonly signal: AbortSignal;
}

const commands: Readonly<Record<string, Command>> = { commit, push, merge, ask, flush, state, wait };
const DONE = 0;
const FAILED = 1;
const MISUSED = 2;
/** As shells say it of a program that SIGINT has ended. */
const INTERRUPTED = 130;
const PAUSE_MS = 500;

/** Runs one command and answers the exit code: 0 only when what was asked for has happened. */
export async function main(deps: MainDeps): Promise<number> {
  const { print, complain } = deps;
  const [name, ...rest] = withoutHelpWord(deps.args);
  const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  const json = rest.slice(0, endOfOptions(rest)).includes("--json");
  const fail = (code: number, error: ErrorData): number => {
    if (json) print(JSON.stringify({ error }));
    else complain(error.message);
    return code;
  };
  try {
    if (command) return await run(deps, command, rest, json);
    return overall(deps, name);
  } catch (error) {
    if (command && error instanceof UsageError) {
      complain(usageLine(command));
      return fail(MISUSED, { name: error.name, message: error.message, reason: "usage" });
    }
    if (error instanceof AgentError)
      return fail(error.data.reason === STOPPED ? INTERRUPTED : FAILED, inOurWords(error.data));
    const { name: kind, message } = error instanceof Error ? error : new Error(String(error));
    return fail(FAILED, {
      name: kind,
      message: `This failed unexpectedly: ${oneLine(message)}`,
      reason: "unexpected",
    });
  }
}

const withoutHelpWord = ([first, ...rest]: readonly string[]): readonly string[] =>
  first === "help" ? [...rest.slice(0, 1), "--help"] : first === undefined ? [] : [first, ...rest];

/** What is no command. */
function overall({ print, complain, version }: MainDeps, name: string | undefined): number {
  if (name === "--version" || name === "--help" || name === "-h") {
    print(name === "--version" ? version() : helpOfAll(commands));
    return DONE;
  }
  complain(name === undefined ? "Name a command." : `There is no command "${name}".`);
  complain(`Usage: ${PROGRAM} ${Object.keys(commands).join("|")} ... (${PROGRAM} --help tells more)`);
  return MISUSED;
}

async function run(
  deps: MainDeps,
  command: Command,
  args: readonly string[],
  json: boolean,
): Promise<number> {
  const prepared = command.prepare(args);
  if (!prepared) {
    deps.print(helpOf(command));
    return DONE;
  }
  let sent = false;
  const sending = (): void => void (sent = true);
  const unlessStopped = <Answer>(work: () => Promise<Answer>): Promise<Answer> =>
    untilStopped(deps.signal, () => sent, work);
  const session = new Session({
    call: (call) => unlessStopped(() => deps.call({ ...call, sending }, deps.signal)),
    readInput: () => unlessStopped(deps.readInput),
    pause: () => unlessStopped(() => pause(PAUSE_MS, undefined, { signal: deps.signal })),
    directory: await directoryAt(deps.cwd, prepared.directory),
  });
  return tell(deps, json, await prepared.run(session));
}

/** The field that a window calls `idempotencyKey` is an option here. */
const inOurWords = (error: ErrorData): ErrorData =>
  error.field?.endsWith("idempotencyKey")
    ? { ...error, message: error.message.replace(/\b(?:requests\.0\.)?idempotencyKey\b/g, "--key") }
    : error;

/** Says what it means where the work was stopped from here. */
async function untilStopped<Answer>(
  signal: AbortSignal,
  wasSent: () => boolean,
  work: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (!signal.aborted) throw error;
    throw agentError(
      STOPPED,
      wasSent()
        ? `It is no longer waited for. What was accepted goes on; "${PROGRAM} state" tells of it.`
        : "It was stopped before anything was asked of a window.",
    );
  }
}

const endOfOptions = (args: readonly string[]): number => {
  const end = args.indexOf("--");
  return end < 0 ? args.length : end;
};

function tell({ print, complain }: MainDeps, json: boolean, { data, text, failure }: Outcome): number {
  if (json) print(JSON.stringify(failure ? { ...data, error: failure } : data));
  else {
    if (text !== "") print(text);
    if (failure) complain(failure.message);
  }
  return failure ? FAILED : DONE;
}
