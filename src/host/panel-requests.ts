import type { PanelRequest } from "../protocol.ts";
import { Cancelled } from "./commands/cancelled.ts";
import type { CommandTable } from "./commands/command.ts";

interface PanelRequestDeps {
  /** Throws where the workspace is not trusted. */
  readonly demandTrust: () => void;
  /** Shows the editor's own page on workspace trust. */
  readonly manageTrust: () => PromiseLike<unknown>;
}

/** Carries out what the panel's reader asked for. Rejects with what went wrong, which the panel shows where it was asked. */
export async function runPanelRequest(
  table: CommandTable,
  request: PanelRequest,
  { demandTrust, manageTrust }: PanelRequestDeps,
): Promise<void> {
  if (request.kind === "manageTrust") {
    await manageTrust();
    return;
  }
  const command = table[request.kind];
  if (command.trusted) demandTrust();
  try {
    await (request.kind === "setApiKey" || request.kind === "exportHistory"
      ? command.fromPerson({ kind: "none" })
      : command.fromView(argumentOf(request)));
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error;
  }
}

function argumentOf(
  request: Exclude<PanelRequest, { kind: "setApiKey" | "exportHistory" | "manageTrust" }>,
): object {
  if ("id" in request) return { id: request.id };
  return request.side ? { kind: request.side } : {};
}
