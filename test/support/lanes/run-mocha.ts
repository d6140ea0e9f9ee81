import Mocha from "mocha";
import type { RootHookObject } from "mocha";
import type { Totals } from "./totals.ts";

export interface MochaRun {
  /** Milliseconds a test may take unless it says otherwise. */
  readonly timeout: number;
  /** Only tests whose full title matches. */
  readonly grep?: string | undefined;
  readonly rootHooks?: RootHookObject;
  /** Defines the suites, by files or by calling modules. */
  readonly load: (mocha: Mocha) => Promise<void>;
}

/** Runs mocha in this process with its spec output. A test marked `only` fails the run: it would hide all others. */
export async function runMocha(run: MochaRun): Promise<Totals> {
  const { timeout, grep, rootHooks } = run;
  const mocha = new Mocha({
    ui: "bdd",
    reporter: "spec",
    timeout,
    forbidOnly: process.env["CI"] !== undefined,
    ...(grep === undefined ? {} : { grep }),
    ...(rootHooks === undefined ? {} : { rootHooks }),
  });
  await run.load(mocha);
  const { promise, resolve } = Promise.withResolvers<Totals>();
  const runner = mocha.run(() => {
    const stats = runner.stats!;
    resolve({ passed: stats.passes, failed: stats.failures, skipped: stats.pending });
  });
  return promise;
}
