import Mocha from "mocha";
import type { RootHookObject } from "mocha";
import type { RunTotals, Totals } from "./totals.ts";

export interface MochaRun {
  /** Milliseconds a test may take unless it says otherwise. */
  readonly timeout: number;
  /** Only tests whose full title matches. */
  readonly grep?: string | undefined;
  readonly rootHooks?: readonly RootHookObject[];
  /** Defines the suites, by files or by calling modules. */
  readonly load: (mocha: Mocha) => Promise<void>;
}

/** What failed is told at the end of a file; what passed is summed up by the lane. */
class Spec extends Mocha.reporters.Spec {
  override epilogue(): void {
    if (this.stats.failures > 0) super.epilogue();
  }
}

/** Runs mocha in this process with its spec output. A test marked `only` fails the run: it would hide all others. */
export async function runMocha(run: MochaRun): Promise<RunTotals> {
  const { timeout, grep, rootHooks = [] } = run;
  const mocha = new Mocha({
    ui: "bdd",
    reporter: Spec,
    timeout,
    forbidOnly: process.env["CI"] !== undefined,
    ...(grep === undefined ? {} : { grep }),
  });
  for (const hooks of rootHooks) mocha.rootHooks(hooks);
  await run.load(mocha);
  const { promise, resolve } = Promise.withResolvers<RunTotals>();
  const files: Record<string, Totals> = {};
  const runner = mocha.run(() => {
    const stats = runner.stats!;
    resolve({ passed: stats.passes, failed: stats.failures, skipped: stats.pending, files });
  });
  const count = (key: keyof Totals) => (subject: { readonly file?: string | undefined }) => {
    if (subject.file === undefined) return;
    const { [subject.file]: before = { passed: 0, failed: 0, skipped: 0 } } = files;
    files[subject.file] = { ...before, [key]: before[key] + 1 };
  };
  runner.on("pass", count("passed")).on("fail", count("failed")).on("pending", count("skipped"));
  return promise;
}
