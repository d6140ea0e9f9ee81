/** Answers of one test run. */
export type Tested = { readonly passed: true } | { readonly passed: false; readonly output: string };

export interface BisectRequest<Link> {
  /** The chain in order; each link holds all before it. */
  readonly links: readonly Link[];
  /** Tests the chain up to and with this link, or the start without any. `fresh`: not from the cache. */
  readonly test: (link: Link | undefined, fresh: boolean) => Promise<Tested>;
  /** Makes the links after a removed one anew, on top of what is verified; those that no longer fit are left out. */
  readonly rebuild: (verified: readonly Link[], rest: readonly Link[]) => Promise<readonly Link[]>;
}

export type Verdict<Link> =
  | { readonly kind: "culprit"; readonly link: Link; readonly output: string }
  /** The target fails without any of them. */
  | { readonly kind: "red-target"; readonly links: readonly Link[]; readonly output: string }
  /** The same state passed once and failed once, again and again. */
  | { readonly kind: "flaky"; readonly links: readonly Link[]; readonly output: string };

export interface BisectResult<Link> {
  readonly verified: readonly Link[];
  readonly verdicts: readonly Verdict<Link>[];
}

const MAX_CONTRADICTIONS = 3;

/**
 * Prefix bisection: tests the whole chain; where that fails, searches the smallest prefix that fails, blames its last
 * link after testing both sides once more, keeps what passed before it and goes on with the rest. Of a pair that only
 * fails together the later one is blamed. One culprit among n takes about log2(n) + 2 runs, two reruns aside.
 */
export async function bisect<Link>({
  links,
  test,
  rebuild,
}: BisectRequest<Link>): Promise<BisectResult<Link>> {
  const verdicts: Verdict<Link>[] = [];
  let verified: readonly Link[] = [];
  let rest = links;
  let contradictions = 0;
  while (rest.length > 0) {
    const whole = await test(rest.at(-1), false);
    if (whole.passed) return { verified: [...verified, ...rest], verdicts };
    // Everything up to `good` links passes, `bad` links fail.
    let good = 0;
    let bad = rest.length;
    let output = whole.output;
    while (bad - good > 1) {
      const middle = Math.floor((good + bad) / 2);
      const tested = await test(rest[middle - 1], false);
      if (tested.passed) good = middle;
      else [bad, output] = [middle, tested.output];
    }
    const before = good === 0 ? verified.at(-1) : rest[good - 1];
    const below = await test(before, true);
    if (!below.passed && before === undefined) {
      return { verified, verdicts: [...verdicts, { kind: "red-target", links: rest, output: below.output }] };
    }
    const above = await test(rest[bad - 1], true);
    if (!below.passed || above.passed) {
      contradictions += 1;
      if (contradictions < MAX_CONTRADICTIONS) continue;
      return { verified, verdicts: [...verdicts, { kind: "flaky", links: rest, output }] };
    }
    const culprit = rest[bad - 1];
    if (culprit === undefined) break;
    verdicts.push({ kind: "culprit", link: culprit, output: above.output });
    verified = [...verified, ...rest.slice(0, good)];
    rest = await rebuild(verified, rest.slice(bad));
  }
  return { verified, verdicts };
}
