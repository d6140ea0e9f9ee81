import type { Pair } from "./series.ts";

/** Coordinates within a drawing of `width` by `height`, y growing downwards. */
export interface ChartShape {
  /** A point for the origin, then one a batch. */
  readonly spots: readonly Spot[];
  readonly alone: string;
  readonly batched: string;
  /** SVG paths between the two lines; `lost` where batching took more than doing it alone. */
  readonly saved: string;
  readonly lost: string;
  readonly ticks: readonly { readonly value: number; readonly y: number }[];
}

export interface Spot {
  readonly x: number;
  readonly alone: number;
  readonly batched: number;
}

/** Batches stand at equal distances in the order of time: bursts stay readable, and so do long pauses. */
export function chartShape(points: readonly Pair[], width: number, height: number): ChartShape {
  const all = [{ alone: 0, batched: 0 }, ...points];
  const top = niceCeiling(Math.max(...all.map(({ alone, batched }) => Math.max(alone, batched))));
  const y = (value: number): number => round(height - (value / top) * height);
  const x = (index: number): number => round((index / Math.max(1, all.length - 1)) * width);
  const spots = all.map(({ alone, batched }, index) => ({
    x: x(index),
    alone: y(alone),
    batched: y(batched),
  }));
  return {
    spots,
    alone: line(spots.map((spot) => [spot.x, spot.alone])),
    batched: line(spots.map((spot) => [spot.x, spot.batched])),
    saved: area(spots, (spot) => spot.alone <= spot.batched),
    lost: area(spots, (spot) => spot.alone > spot.batched),
    ticks: [0, 0.5, 1].map((part) => ({ value: top * part, y: y(top * part) })),
  };
}

/** The smallest of 2, 4, 6, 10 times a power of ten that is not under `value`; half of it is a round number too. */
export function niceCeiling(value: number): number {
  if (value <= 0) return 2;
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 2, 4, 6, 10].find((step) => step * power >= value * (1 - 1e-9)) ?? 10;
  return factor === 1 && power <= 1 && power > 0.5 ? 2 : factor * power;
}

type Place = readonly [x: number, y: number];

/**
 * The areas between the lines for which `side` holds, from crossing to crossing. Each is one outline: where many small ones
 * meet, a see-through colour shows the seams.
 */
function area(spots: readonly Spot[], side: (spot: Spot) => boolean): string {
  const runs: Spot[][] = [];
  for (const [from, to] of stretches(spots)) {
    if (!side(middle(from, to)) || (from.alone === from.batched && to.alone === to.batched)) continue;
    const last = runs.at(-1);
    if (last?.at(-1) === from) last.push(to);
    else runs.push([from, to]);
  }
  return runs
    .map((run) => {
      const there = run.map(({ x, alone }): Place => [x, alone]);
      const back = run.map(({ x, batched }): Place => [x, batched]).reverse();
      return `${line([...there, ...back])}Z`;
    })
    .join("");
}

/** From each spot to the next, cut where the lines cross. */
function stretches(spots: readonly Spot[]): readonly (readonly [from: Spot, to: Spot])[] {
  return spots.slice(1).flatMap((to, index) => {
    const from = spots[index] ?? to;
    const cut = crossing(from, to);
    return cut === undefined ? [[from, to] as const] : [[from, cut] as const, [cut, to] as const];
  });
}

function crossing(from: Spot, to: Spot): Spot | undefined {
  const before = from.alone - from.batched;
  const after = to.alone - to.batched;
  if (before * after >= 0) return undefined;
  const part = before / (before - after);
  const at = (a: number, b: number): number => round(a + (b - a) * part);
  const y = at(from.alone, to.alone);
  return { x: at(from.x, to.x), alone: y, batched: y };
}

const middle = (a: Spot, b: Spot): Spot => ({
  x: (a.x + b.x) / 2,
  alone: (a.alone + b.alone) / 2,
  batched: (a.batched + b.batched) / 2,
});
const line = (places: readonly Place[]): string => `M${places.map(([x, y]) => `${x} ${y}`).join("L")}`;
const round = (value: number): number => Math.round(value * 100) / 100;

/** The spot nearest to `x`, as an index into `spots`, the origin left out. */
export function nearest(spots: readonly Spot[], x: number): number {
  let best = 1;
  spots.forEach((spot, index) => {
    if (index > 0 && Math.abs(spot.x - x) < Math.abs((spots[best]?.x ?? 0) - x)) best = index;
  });
  return best;
}
