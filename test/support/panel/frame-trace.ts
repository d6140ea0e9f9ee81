import type { Page } from "playwright-core";

/** One complete event of a trace; times in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly args?: { readonly data?: { readonly message?: string } };
}

const parts = ["script", "style", "layout", "paint"] as const;
type Part = (typeof parts)[number];
/** What one frame cost the page's main thread, in milliseconds. */
export type FrameWork = Readonly<Record<Part, number>>;

/** Events of the main thread by what they are; each counts what it took itself, without what ran within it. */
const partOf: Readonly<Record<string, Part>> = {
  FireAnimationFrame: "script",
  FunctionCall: "script",
  RunMicrotasks: "script",
  EventDispatch: "script",
  "v8.callFunction": "script",
  MinorGC: "script",
  MajorGC: "script",
  UpdateLayoutTree: "style",
  Layout: "layout",
  HitTest: "layout",
  PrePaint: "paint",
  Paint: "paint",
  Layerize: "paint",
};
const categories = ["devtools.timeline", "disabled-by-default-devtools.timeline", "v8"];

export interface FrameTrace {
  readonly frames: readonly FrameWork[];
  /** Milliseconds that all raster threads together drew tiles for one frame, on average; a graphics card's work where there is one. */
  readonly raster: number;
}

/** Runs `work`, which must call `console.timeStamp("frame")` at the start of each frame. */
export async function traceFrames(page: Page, work: () => Promise<void>): Promise<FrameTrace> {
  const browser = page.context().browser()!;
  await browser.startTracing(page, { categories });
  await work();
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const events = trace.traceEvents.toSorted((a, b) => a.ts - b.ts);
  const marks = events.filter(({ name, args }) => name === "TimeStamp" && args?.data?.message === "frame");
  const [first] = marks;
  if (first === undefined) return { frames: [], raster: 0 };
  const starts = marks.map(({ ts }) => ts);
  const within = events.filter(({ ts }) => ts >= first.ts && ts < starts.at(-1)!);
  const main = within.filter(({ pid, tid, ph }) => ph === "X" && pid === first.pid && tid === first.tid);
  const raster = within.filter(({ name, pid }) => name === "RasterTask" && pid === first.pid);
  return {
    frames: worked(main, starts),
    raster: raster.reduce((sum, { dur = 0 }) => sum + dur, 0) / 1000 / (starts.length - 1),
  };
}

/** Self times by frame. `events` are in the order of their beginning, so one that contains others comes before them. */
function worked(events: readonly TraceEvent[], starts: readonly number[]): readonly FrameWork[] {
  const frames = starts.slice(1).map(() => ({ script: 0, style: 0, layout: 0, paint: 0 }));
  const open: { readonly end: number; readonly add: (ms: number) => void }[] = [];
  let frame = 0;
  for (const { name, ts, dur = 0 } of events) {
    while (ts >= (starts[frame + 1] ?? Infinity)) frame += 1;
    while ((open.at(-1)?.end ?? Infinity) <= ts) open.pop();
    const part = partOf[name];
    if (part === undefined) continue;
    const sums = frames[frame];
    const add = (ms: number): void => {
      if (sums) sums[part] += ms;
    };
    open.at(-1)?.add(-dur / 1000);
    add(dur / 1000);
    open.push({ end: ts + dur, add });
  }
  return frames;
}

export const mainThread = (work: FrameWork): number => parts.reduce((sum, part) => sum + work[part], 0);
