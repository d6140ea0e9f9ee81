import { InputError } from "../../core/errors.ts";
import { runCommand } from "../commands/funnel.ts";
import type { FunnelDeps } from "../commands/funnel.ts";
import type { AnyCommand, CommandTable } from "../commands/command.ts";
import type { Snapshot } from "../../core/snapshot.ts";
import type { Parts } from "../parts.ts";
import { enqueueGitTool, enqueueRequestsTool } from "./enqueue.ts";
import { flushTool } from "./flush.ts";
import { stateTool } from "./state.ts";
import type { Agent, Tool } from "./tool.ts";

/** Runs a command for an agent: it is refused what code is, and what goes wrong is logged. */
export type RunTool = <Answer>(
  name: string,
  command: AnyCommand<Answer>,
  input: unknown,
  agent: Agent,
) => Promise<Answer>;

interface ToolDeps {
  readonly parts: Pick<Parts, "journal" | "state" | "llm" | "requests">;
  readonly table: Pick<CommandTable, "enqueueCommit" | "enqueuePush" | "enqueueMerge" | "flush">;
  readonly funnel: FunnelDeps;
  readonly snapshot: () => Snapshot;
  /** Why no open window may execute the lane; `undefined` where one may. */
  readonly refusal: (lane: string) => Promise<string | undefined>;
  readonly count: (value: number) => string;
}

/** The same tools for language models in the editor, the command line and MCP clients, by name. */
export function toolTable({
  parts,
  table,
  funnel,
  snapshot,
  refusal,
  count,
}: ToolDeps): ReadonlyMap<string, Tool> {
  const { t } = funnel;
  const runTool: RunTool = async (name, command, input, from) => {
    // It would pass for an object without any field.
    if (Array.isArray(input)) throw new InputError("argument", "must be an object, not a list");
    return (await runCommand(name, command, { from, input }, funnel)) as Awaited<
      ReturnType<typeof command.fromCode>
    >;
  };
  return new Map([
    ["batchControl_enqueueGit", enqueueGitTool(table, parts.journal, runTool, t)],
    ["batchControl_enqueueRequests", enqueueRequestsTool(parts, runTool, t, count)],
    ["batchControl_flush", flushTool(table, parts.journal, snapshot, runTool, t, count)],
    ["batchControl_state", stateTool({ parts, snapshot, refusal, t }, runTool)],
  ]);
}
