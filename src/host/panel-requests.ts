import type { PanelRequest } from "../protocol.ts";
import { Cancelled } from "./commands/cancelled.ts";
import type { CommandTable } from "./commands/command.ts";

/** Carries out what the panel's reader asked for. Rejects with what went wrong, which the panel shows where it was asked. */
export async function runPanelRequest(
  table: CommandTable,
  request: PanelRequest,
  demandTrust: () => void,
): Promise<void> {
  const command = table[request.kind];
  if (command.trusted) demandTrust();
  try {
    await (request.kind === "setApiKey"
      ? command.fromPerson({ kind: "none" })
      : command.fromView(argumentOf(request)));
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error;
  }
}

function argumentOf(request: Exclude<PanelRequest, { kind: "setApiKey" }>): object {
  if ("id" in request) return { id: request.id };
  return request.side ? { kind: request.side } : {};
}
