import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createSample } from "../sample.ts";
import type { Sample } from "../sample.ts";
import { Workbench } from "./workbench.ts";
import type { WorkbenchOptions } from "./workbench.ts";

export interface SampleWorkbench {
  readonly sample: Sample;
  readonly workbench: Workbench;
}

/**
 * Gives the suite around it a fresh sample and a workbench, and takes both away after its last test. What is returned can be
 * read once the suite's hooks have begun.
 */
export function useSampleWorkbench(options: WorkbenchOptions = {}): SampleWorkbench {
  const fixture: { sample?: Sample; workbench?: Workbench } = {};
  let folder: string | undefined;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "batch-control-e2e-"));
    fixture.sample = await createSample(folder);
    fixture.workbench = await Workbench.start(options);
  });

  after(async () => {
    await fixture.workbench?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  return {
    get sample() {
      return started(fixture.sample);
    },
    get workbench() {
      return started(fixture.workbench);
    },
  };
}

function started<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error("The suite's hooks have not run yet.");
  return value;
}
