import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Page } from "playwright-core";
import { outDir } from "../paths.ts";
import type { FrameTrace, FrameWork } from "./frame-trace.ts";
import { mainThread, traceFrames } from "./frame-trace.ts";

/** How far each frame goes, in pixels: a turned wheel, and a scroll bar dragged through the whole list. */
const strides = { wheel: 120, dragged: 2400 } as const;
const FRAMES = 120;

/**
 * Scrolls the page and writes to `out/test/<name>.json` what its frames took in milliseconds: from one to the next, and of
 * that on the main thread. Nothing is asserted: a busy machine is slow.
 */
export async function reportFrames(page: Page, name: string): Promise<void> {
  const report: Record<string, unknown> = {};
  for (const [stride, pixels] of Object.entries(strides)) {
    let taken: readonly number[] = [];
    const trace = await traceFrames(page, async () => {
      taken = await scroll(page, pixels);
    });
    report[stride] = { frames: spread(taken), ...summary(trace) };
  }
  await mkdir(outDir, { recursive: true });
  await writeFile(path.join(outDir, `${name}.json`), JSON.stringify(report, undefined, 2));
}

/** Answers how long each frame took. */
function scroll(page: Page, pixels: number): Promise<readonly number[]> {
  return page.evaluate(
    async ([step, frames]) => {
      const frame = (): Promise<number> => new Promise((done) => requestAnimationFrame(done));
      const taken: number[] = [];
      window.scrollTo(0, 0);
      let before = await frame();
      for (let at = 0; at <= frames; at += 1) {
        console.timeStamp("frame");
        window.scrollBy(0, step);
        const now = await frame();
        taken.push(now - before);
        before = now;
      }
      return taken;
    },
    [pixels, FRAMES] as const,
  );
}

function summary({ frames, raster }: FrameTrace): Readonly<Record<string, unknown>> {
  const mean = (part: keyof FrameWork): number =>
    tenth(frames.reduce((sum, work) => sum + work[part], 0) / Math.max(1, frames.length));
  return {
    mainThread: spread(frames.map(mainThread)),
    mean: { script: mean("script"), style: mean("style"), layout: mean("layout"), paint: mean("paint") },
    raster: tenth(raster),
  };
}

function spread(times: readonly number[]): Readonly<Record<string, number>> {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number): number => tenth(sorted[Math.floor((sorted.length - 1) * part)] ?? 0);
  return { median: at(0.5), p95: at(0.95), longest: at(1) };
}

const tenth = (value: number): number => Math.round(value * 10) / 10;
