import { hostname } from "node:os";
import { workspace } from "vscode";
import type { Origin } from "../core/operation.ts";

/** This window. */
export const ownOrigin = (id: string): Origin => ({
  machine: hostname(),
  window: id,
  ...(workspace.name === undefined ? {} : { workspace: workspace.name }),
});
