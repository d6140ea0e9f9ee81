import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Page } from "playwright-core";
import { outDir } from "../paths.ts";

/** Scrolls the page from top to bottom and writes how long its frames took, in milliseconds, to `out/test/<name>.json`. */
export async function reportFrames(page: Page, name: string): Promise<void> {
  const frames = await page.evaluate(async () => {
    const frame = (): Promise<number> => new Promise((done) => requestAnimationFrame(done));
    const end = document.documentElement.scrollHeight - window.innerHeight;
    const taken: number[] = [];
    window.scrollTo(0, 0);
    let before = await frame();
    for (let step = 1; step <= 120; step += 1) {
      window.scrollTo(0, (end * step) / 120);
      const now = await frame();
      taken.push(now - before);
      before = now;
    }
    return taken.sort((a, b) => a - b);
  });
  const at = (part: number): number =>
    Math.round((frames[Math.floor((frames.length - 1) * part)] ?? 0) * 10) / 10;
  await mkdir(outDir, { recursive: true });
  const report = { frames: frames.length, median: at(0.5), p95: at(0.95), longest: at(1) };
  await writeFile(path.join(outDir, `${name}.json`), JSON.stringify(report));
}
