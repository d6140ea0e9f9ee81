import { setTimeout as pause } from "node:timers/promises";
import { agentError, AgentError } from "../agent-error.ts";
import type { ErrorData } from "../agent-error.ts";
import type { ClientCall } from "../client.ts";
import { ask } from "./ask-command.ts";
import type { Command, Outcome } from "./command.ts";
import { commit, merge, push } from "./git-commands.ts";
import { helpOf, helpOfAll, PROGRAM, usageLine } from "./help.ts";
import { flush, state, wait } from "./other-commands.ts";
import { directoryAt, Session, STOPPED } from "./session.ts";
import { UsageError } from "./usage-error.ts";

export interface MainDeps {
  readonly args: readonly string[];
  readonly cwd: string;
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
  const { args, print, complain } = deps;
  const [name, ...rest] = args;
  if (name === "--version") {
    print(deps.version());
    return DONE;
  }
  if (name === "--help" || name === "-h") {
    print(helpOfAll(commands));
    return DONE;
  }
  const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    complain(name === undefined ? "Name a command." : `There is no command "${name}".`);
    complain(`Usage: ${PROGRAM} ${Object.keys(commands).join("|")} ... (${PROGRAM} --help tells more)`);
    return MISUSED;
  }
  const json = rest.slice(0, endOfOptions(rest)).includes("--json");
  const fail = (code: number, error: ErrorData): number => {
    if (json) print(JSON.stringify({ error }));
    else complain(error.message);
    return code;
  };
  try {
    const prepared = command.prepare(rest);
    if (!prepared) {
      print(helpOf(command));
      return DONE;
    }
    const session = new Session({
      call: (call, limitMs) => untilStopped(deps.signal, () => within(deps, call, limitMs)),
      readInput: () => untilStopped(deps.signal, deps.readInput),
      pause: () => untilStopped(deps.signal, () => pause(PAUSE_MS, undefined, { signal: deps.signal })),
      directory: await directoryAt(deps.cwd, prepared.directory),
    });
    return tell(deps, json, await prepared.run(session));
  } catch (error) {
    if (error instanceof UsageError) {
      complain(usageLine(command));
      return fail(MISUSED, { name: error.name, message: error.message, reason: "usage" });
    }
    if (error instanceof AgentError)
      return fail(error.data.reason === STOPPED ? INTERRUPTED : FAILED, error.data);
    throw error;
  }
}

async function within(
  { call: ask, signal }: MainDeps,
  call: ClientCall,
  limitMs: number | undefined,
): Promise<unknown> {
  if (limitMs === undefined) return ask(call, signal);
  const limit = AbortSignal.timeout(limitMs);
  try {
    return await ask(call, AbortSignal.any([signal, limit]));
  } catch (error) {
    if (limit.aborted && !(error instanceof AgentError)) return undefined;
    throw error;
  }
}

/** Says what it means where the work was stopped from here. */
async function untilStopped<Answer>(signal: AbortSignal, work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (!signal.aborted) throw error;
    throw agentError(
      STOPPED,
      `It is no longer waited for. What was accepted goes on; "${PROGRAM} state" tells of it.`,
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
