import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Context, RootHookObject } from "mocha";
import { outDir } from "../paths.ts";
import type { Workbench } from "./workbench.ts";

/** Every workbench that runs, to be pictured when a test fails. */
export const openWorkbenches = new Set<Workbench>();

/** Leaves a picture and the logs of everything open in `out/test/e2e/<test>/` when a test or hook failed. */
export const rootHooks: RootHookObject = {
  async afterEach(this: Context) {
    if (this.currentTest?.state === "failed") await keepEvidence(this.currentTest.fullTitle());
  },
};

export async function keepEvidence(title: string): Promise<void> {
  const folder = path.join(outDir, "e2e", fileName(title));
  await mkdir(folder, { recursive: true });
  let number = 0;
  for (const workbench of openWorkbenches) {
    await workbench.server.saveLogs(path.join(folder, "logs"));
    for (const window of workbench.windows) {
      number += 1;
      await writeFile(path.join(folder, `window-${number}.log`), window.consoleLines.join("\n"));
      await window.page
        .screenshot({ path: path.join(folder, `window-${number}.png`) })
        .catch(() => undefined);
    }
  }
}

/** Short enough for every file system, and distinct enough among tests. */
export function fileName(title: string): string {
  return title
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 120);
}
