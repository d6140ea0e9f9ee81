import type { PanelRequest } from "../protocol.ts";
import type { CommandTable } from "./commands/command.ts";

/** Carries out what the panel's reader asked for. Rejects with what went wrong, which the panel shows where it was asked. */
export async function runPanelRequest(
  table: CommandTable,
  request: PanelRequest,
  demandTrust: () => void,
): Promise<void> {
  const command = table[request.kind];
  if (command.trusted) demandTrust();
  await command.fromView(argumentOf(request));
}

function argumentOf(request: PanelRequest): object {
  if ("id" in request) return { id: request.id };
  return request.side ? { kind: request.side } : {};
}
