import type { PushStepName, Progress } from "../core/snapshot.ts";
import type { Clock } from "../core/ports.ts";

/** Not sooner, so that a quick push says nothing, and not more often: every report is written down. */
const GAP_MS = 500;

/** Titles of git's own meters, send-pack's and the server's, and of git-lfs as a pre-push hook. */
const titles: Readonly<Record<string, PushStepName>> = {
  "Counting objects": "counting",
  "Compressing objects": "compressing",
  "Writing objects": "writing",
  "Resolving deltas": "resolving",
  "Uploading LFS objects": "uploading",
};
const meter = new RegExp(`(${Object.keys(titles).join("|")}): +(\\d{1,3})% \\(`, "g");
/** All that the meters print, and the sums that belong to them. */
const residue =
  /^(?:remote: )?(?:(?:(?:Enumerating|Counting|Compressing|Writing|Unpacking|Uploading LFS) objects|Resolving deltas|Checking connectivity): +\d|Delta compression using |Total \d+ \(delta )/;

/** The newest state of a meter in a piece of output; one that is cut in two is caught by the next. */
export function lastMeter(output: string): Omit<Progress, "target"> | undefined {
  const [, title = "", percent = ""] = [...output.matchAll(meter)].at(-1) ?? [];
  const step = titles[title];
  return step === undefined ? undefined : { step, percent: Math.min(100, Number(percent)) };
}

/** What was said besides the meters, whose lines overwrite each other by carriage returns. */
export const withoutProgress = (output: string): string =>
  output
    .split(/\r\n|\r|\n/)
    .filter((line) => !residue.test(line))
    .join("\n");

/** Passes on how far a push is, seldom enough to be written down each time. */
export class PushProgress {
  readonly #clock: Clock;
  readonly #report: (progress: Omit<Progress, "target">) => Promise<void>;
  #newest: Omit<Progress, "target"> | undefined;
  #cancel: (() => void) | undefined;
  #reporting: Promise<void> = Promise.resolve();
  #reported = "";
  #ended = false;

  constructor(clock: Clock, report: (progress: Omit<Progress, "target">) => Promise<void>) {
    this.#clock = clock;
    this.#report = report;
  }

  add(chunk: Buffer): void {
    this.#newest = lastMeter(chunk.toString("latin1")) ?? this.#newest;
    if (this.#newest) this.#wait();
  }

  /** Resolves once nothing is reported any more; answers whether anything was. */
  async end(): Promise<boolean> {
    this.#ended = true;
    this.#cancel?.();
    await this.#reporting;
    return this.#reported !== "";
  }

  #wait(): void {
    if (this.#ended) return;
    this.#cancel ??= this.#clock.after(GAP_MS, () => {
      this.#reporting = this.#tell();
    });
  }

  async #tell(): Promise<void> {
    const newest = this.#newest;
    const words = JSON.stringify(newest);
    if (newest && words !== this.#reported) {
      this.#reported = words;
      await this.#report(newest);
    }
    this.#cancel = undefined;
    if (this.#newest !== newest) this.#wait();
  }
}
