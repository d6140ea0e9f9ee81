import { homedir } from "node:os";
import path from "node:path";

/** The folder of this user that the windows of all editors share. */
export const userFolder = (): string => path.join(homedir(), ".batch-control");
