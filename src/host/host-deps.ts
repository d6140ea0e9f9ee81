import type { ExtensionContext } from "vscode";
import type { Clock } from "../core/ports.ts";
import type { Log } from "./log.ts";
import type { Parts } from "./parts.ts";
import type { OpenFolders } from "./repositories.ts";
import type { ApiKeys } from "./secrets.ts";
import type { Settings } from "./settings.ts";

/** What the host needs besides the rooms. */
export interface HostDeps {
  readonly context: Pick<ExtensionContext, "workspaceState" | "globalState" | "extensionUri">;
  readonly parts: Parts;
  readonly log: Log;
  readonly settings: Settings;
  readonly keys: ApiKeys;
  readonly clock: Clock;
  /** Source Control's message boxes. */
  readonly sourceControl: Pick<OpenFolders, "message" | "messageWasUsed">;
}
