import { chromiumVersion, ensureChromium } from "./chromium.ts";
import { ensureCodeServer } from "./code-server.ts";

/** Sees to it that there is a VS Code and a browser to run it in. Rejects with what is missing and how to mend it. */
export async function ensureWorkbench(): Promise<void> {
  if (process.platform === "win32") throw new Error("The workbench's lanes need Linux or macOS.");
  chromiumVersion(ensureChromium());
  await ensureCodeServer();
}
