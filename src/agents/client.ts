import { hostname } from "node:os";
import * as v from "valibot";
import { agentError, AgentError } from "./agent-error.ts";
import type { ToolCall } from "./endpoint.ts";
import { clearAway, isRunning, readWindows } from "./window-file.ts";
import type { KnownWindow } from "./window-file.ts";
import { ask } from "./wire.ts";

export interface ClientDeps {
  /** The folder of this user that all editors share. */
  readonly userFolder: string;
  /** The window to be asked first; `BATCH_CONTROL_WINDOW` in its terminals. */
  readonly preferred: string | undefined;
  readonly source: ToolCall["source"];
  /** How long a window may take to say what it is. */
  readonly limitMs?: number;
}

export interface ClientCall {
  readonly tool: string;
  readonly input: unknown;
  /** An absolute path that the call is about, where it is about one. */
  readonly worktree?: string | undefined;
  /** Called once a window is found, before it is told anything of this. */
  readonly sending?: () => void;
}

const LIMIT_MS = 10_000;
/** The tool that changes nothing. */
const LOOKS_ONLY = "batchControl_state";
/** Bytes. Longer ones are no paths on Linux, and would not fit where a window is asked about them. */
const MAX_PATH = 4096;
const description = v.object({ trusted: v.boolean(), holds: v.boolean() });

const keyed = v.object({ idempotencyKey: v.optional(v.string()) });

interface Seen extends v.InferOutput<typeof description> {
  readonly window: KnownWindow;
}

/** Finds the open window that a call is for, anew for each, and has it run a tool. */
export class WindowClient {
  readonly #deps: ClientDeps;

  constructor(deps: ClientDeps) {
    this.#deps = deps;
  }

  /** The tool's answer. Rejects with `AgentError`, or an `AbortError` once `signal` is aborted. */
  async call({ tool, input, worktree, sending }: ClientCall, signal: AbortSignal): Promise<unknown> {
    const about = worktree !== undefined && Buffer.byteLength(worktree) <= MAX_PATH ? worktree : undefined;
    const window = await this.#choose(about, tool === LOOKS_ONLY, signal);
    const body = { input, source: this.#deps.source };
    sending?.();
    try {
      return await ask(window, { method: "POST", path: `/v1/tools/${tool}`, body }, signal);
    } catch (error) {
      if (error instanceof AgentError || signal.aborted) throw error;
      throw agentError(
        "window-lost",
        `The window went away before it answered. ${this.#afterLoss(tool, input)}`,
      );
    }
  }

  /**
   * A trusted window: one that may execute the worktree's repository, else any; among equals the preferred, then the oldest.
   * The queue can be seen in one without trust, too.
   */
  async #choose(worktree: string | undefined, looksOnly: boolean, signal: AbortSignal): Promise<KnownWindow> {
    const { userFolder, preferred } = this.#deps;
    const windows = await readWindows(userFolder, hostname());
    const fits = ({ trusted, holds }: Seen): boolean => trusted && (holds || worktree === undefined);
    const own = windows.filter(({ name }) => name === preferred);
    const others = windows.filter(({ name }) => name !== preferred);
    const seen: (Seen | "silent")[] = [];
    // Who is asked from a window's own terminal need not wait for the others.
    for (const group of [own, others]) {
      seen.push(...(await this.#look(group, worktree, signal)));
      const found = seen.filter((each) => each !== "silent").find(fits);
      if (found) return found.window;
    }
    const answering = seen.filter((each) => each !== "silent");
    const may = answering.find((each) => each.trusted) ?? (looksOnly ? answering[0] : undefined);
    if (may) return may.window;
    if (answering.length > 0)
      throw agentError(
        "untrusted",
        "Batch Control does nothing in a workspace that is not trusted. Trust the one that is open in VS Code and try again.",
      );
    if (seen.includes("silent"))
      throw agentError(
        "no-answer",
        "A window is open but does not answer. Wait until it does, or reload it, and try again.",
      );
    throw agentError(
      "no-window",
      "No trusted window with Batch Control is open. Open the folder in VS Code and try again.",
    );
  }

  /** What to do where nobody knows whether a call has come to anything. */
  #afterLoss(tool: string, input: unknown): string {
    const option = this.#deps.source === "cli" ? "--key" : "idempotencyKey";
    if (tool === LOOKS_ONLY) return "Try again once one is open.";
    if (tool === "batchControl_flush")
      return "What it had begun goes on once one is open; its state tells of it.";
    if (hasKey(input))
      return `What it had accepted is kept; to ask again under the same ${option} queues nothing twice.`;
    return `What it had accepted is kept; look at the state before you ask again, and next time give ${option === "--key" ? "a --key" : "an idempotencyKey"}, under which nothing is queued twice.`;
  }

  async #look(
    windows: readonly KnownWindow[],
    worktree: string | undefined,
    signal: AbortSignal,
  ): Promise<readonly (Seen | "silent")[]> {
    const seen = await Promise.all(windows.map((window) => this.#describe(window, worktree, signal)));
    return seen.filter((each) => each !== undefined);
  }

  /** `silent`: it runs, but does not answer in time. `undefined`: nobody is there, or not one of ours. */
  async #describe(
    window: KnownWindow,
    worktree: string | undefined,
    signal: AbortSignal,
  ): Promise<Seen | "silent" | undefined> {
    const query = worktree === undefined ? "" : `?${new URLSearchParams({ worktree }).toString()}`;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(this.#deps.limitMs ?? LIMIT_MS)]);
    try {
      const said = await ask(window, { method: "GET", path: `/v1/window${query}` }, limit);
      const parsed = v.safeParse(description, said);
      return parsed.success ? { ...parsed.output, window } : undefined;
    } catch {
      signal.throwIfAborted();
      if (isRunning(window)) return limit.aborted ? "silent" : undefined;
      await clearAway(this.#deps.userFolder, window);
      return undefined;
    }
  }
}

/** Whether asking again would queue nothing twice. */
function hasKey(input: unknown): boolean {
  const wishes = v.safeParse(v.union([v.object({ requests: v.array(keyed) }), keyed]), input);
  if (!wishes.success) return false;
  return "requests" in wishes.output
    ? wishes.output.requests.every(({ idempotencyKey }) => idempotencyKey !== undefined)
    : wishes.output.idempotencyKey !== undefined;
}
