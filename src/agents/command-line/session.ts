import { existsSync, statSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import { agentError } from "../agent-error.ts";
import type { ClientCall } from "../client.ts";

/** The reason of an error where the person has waited long enough. */
export const STOPPED = "interrupted";

export interface SessionDeps {
  readonly call: (call: ClientCall) => Promise<unknown>;
  readonly readInput: () => Promise<string>;
  /** Lets some time pass before something is tried again. */
  readonly pause: () => Promise<void>;
  /** Where file arguments begin: the real path of the folder that the command is for. */
  readonly directory: string;
}

/** What a command has to work with. */
export class Session {
  readonly directory: string;
  readonly readInput: () => Promise<string>;
  readonly pause: () => Promise<void>;
  readonly #call: SessionDeps["call"];

  constructor({ call, readInput, pause, directory }: SessionDeps) {
    this.#call = call;
    this.readInput = readInput;
    this.pause = pause;
    this.directory = directory;
  }

  /** The top level of the worktree around the directory; `undefined` where it lies in none. */
  get worktree(): string | undefined {
    for (let folder = this.directory; ; folder = path.dirname(folder)) {
      if (isTopLevel(folder)) return folder;
      if (folder === path.dirname(folder)) return undefined;
    }
  }

  demandWorktree(): string {
    const { worktree } = this;
    if (worktree !== undefined) return worktree;
    throw agentError("no-worktree", `${this.directory} lies in no worktree of a git repository.`);
  }

  /** Runs a tool in the window that has the directory's worktree open, else in any. */
  call(tool: string, input: unknown): Promise<unknown> {
    return this.#call({ tool: `batchControl_${tool}`, input, worktree: this.worktree });
  }
}

/** A linked worktree has a file there. A folder that git would not take for a repository does not count. */
function isTopLevel(folder: string): boolean {
  const git = path.join(folder, ".git");
  try {
    return statSync(git).isFile() || existsSync(path.join(git, "HEAD"));
  } catch {
    return false;
  }
}

/** The real path of a folder, which a person may have named from another one. */
export async function directoryAt(from: () => string, name = "."): Promise<string> {
  const folder = path.isAbsolute(name) ? name : path.resolve(existing(from), name);
  const real = await realpath(folder).catch(() => undefined);
  if (real !== undefined && (await stat(real)).isDirectory()) return real;
  throw agentError("no-folder", `There is no folder ${folder}.`);
}

function existing(from: () => string): string {
  try {
    return from();
  } catch {
    throw agentError("no-folder", "The current folder is no longer there.");
  }
}
