import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createSample } from "../sample.ts";
import type { Sample } from "../sample.ts";
import { startSimulator } from "../simulator/index.ts";
import type { Simulator } from "../simulator/index.ts";
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

export interface DemoWorkbench extends SampleWorkbench {
  readonly simulator: Simulator;
}

/** As `useSampleWorkbench`, with a simulator in place of the LLM providers and a key for it in the host's environment. */
export function useDemoWorkbench(options: WorkbenchOptions = {}): DemoWorkbench {
  let simulator: Simulator | undefined;
  const settings: Record<string, unknown> = {};
  const env: Record<string, string> = { ANTHROPIC_API_KEY: "no-key-needed", ...options.env };

  before(async () => {
    simulator = await startSimulator({ autoEndMs: 500 });
    Object.assign(settings, {
      "batchControl.llm.anthropic.baseUrl": simulator.url,
      "batchControl.llm.pollInterval": 1,
      ...options.settings,
    });
  });
  // Mocha runs hooks in order, so the settings stand when the workbench starts.
  const fixture = useSampleWorkbench({ ...options, settings, env });
  after(() => simulator?.close());

  return {
    get sample() {
      return fixture.sample;
    },
    get workbench() {
      return fixture.workbench;
    },
    get simulator() {
      return started(simulator);
    },
  };
}

function started<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error("The suite's hooks have not run yet.");
  return value;
}
