/** The upper edge of each row and, last, the lower edge of all; in pixels. */
export function rowTops(heights: readonly number[]): Float64Array {
  const tops = new Float64Array(heights.length + 1);
  heights.forEach((height, index) => (tops[index + 1] = (tops[index] ?? 0) + height));
  return tops;
}

/** The rows that touch the stretch from `from` to `to`, as a half-open range. */
export function rowsWithin(
  tops: Float64Array,
  from: number,
  to: number,
): { readonly start: number; readonly end: number } {
  const count = tops.length - 1;
  const start = Math.min(count, Math.max(0, firstAbove(tops, from) - 1));
  const end = Math.min(count, firstAbove(tops, to));
  return { start, end: Math.max(start, end) };
}

/** The first index whose edge lies beyond `y`. */
function firstAbove(tops: Float64Array, y: number): number {
  let low = 0;
  let high = tops.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tops[middle] ?? 0) > y) high = middle;
    else low = middle + 1;
  }
  return low;
}
