import { chmod, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Rule, Simulator } from "../simulator/index.ts";
import { startSimulator } from "../simulator/index.ts";
import type { Sample } from "../sample.ts";
import { createSample, git, sampleGitEnv } from "../sample.ts";
import type { LifeEnd } from "./life.ts";
import { Life } from "./life.ts";
import type { OpenEffect } from "./ledger.ts";
import { openEffects } from "./ledger.ts";
import type { Kill, Orders, Wish } from "./orders.ts";
import { isQuiet } from "./quiet.ts";

export interface WorldOptions {
  /** Seconds that the hooks of the remote and of the repository take; absent where there is no such hook. */
  readonly preReceive?: number;
  readonly postReceive?: number;
  readonly preCommit?: number;
  readonly reconciles?: boolean;
  /** Kills are power cuts: git dies with its window. */
  readonly powerCuts?: boolean;
  readonly unknownOutcomeWait?: number;
  readonly autoEndMs?: number | null;
  /** Where the journal lies instead of beside the repository. */
  readonly storage?: string;
}

/** What a life came to. */
export interface Told {
  readonly end: LifeEnd;
  readonly open: readonly OpenEffect[];
}

/** A repository with its remote and worktrees, a journal and a simulated provider, on which processes live and die. */
export class World {
  readonly sample: Sample;
  readonly simulator: Simulator;
  readonly options: WorldOptions;
  /** Everything that was ever asked for. */
  readonly wishes: Wish[] = [];
  /** Ids by key. */
  readonly accepted = new Map<string, string>();
  /** What no later look at the world could show. */
  readonly noticed: string[] = [];
  #lives = 0;

  static async create(options: WorldOptions = {}): Promise<World> {
    const root = await realpath(await mkdtemp(path.join(tmpdir(), "batch-control-faults-")));
    const sample = await createSample(path.join(root, "sample"));
    await git(sample.clone, "branch", "trunk");
    await git(sample.clone, "config", "gc.auto", "0");
    await hook(
      sample.remote,
      "post-receive",
      `{ echo; cat; } >> pushes.log\n${options.postReceive === undefined ? "" : `sleep ${options.postReceive}`}`,
    );
    if (options.preReceive !== undefined)
      await hook(sample.remote, "pre-receive", `cat > /dev/null\nsleep ${options.preReceive}`);
    if (options.preCommit !== undefined)
      await hook(path.join(sample.clone, ".git"), "pre-commit", `sleep ${options.preCommit}`);
    const autoEndMs = options.autoEndMs === undefined ? 20 : options.autoEndMs;
    return new World(sample, await startSimulator({ autoEndMs }), options);
  }

  private constructor(sample: Sample, simulator: Simulator, options: WorldOptions) {
    this.sample = sample;
    this.simulator = simulator;
    this.options = options;
  }

  /** Of what the processes tell about themselves. */
  get root(): string {
    return path.dirname(this.sample.root);
  }

  get storage(): string {
    return path.join(this.options.storage ?? this.root, "storage");
  }

  /** Wishes that nobody has acknowledged yet are asked for again, before new ones. */
  wish(...wishes: readonly Wish[]): void {
    this.wishes.push(...wishes);
  }

  misbehave(rule: Rule): void {
    this.simulator.misbehave(rule);
  }

  async begin(more: Partial<Orders> = {}, user?: number): Promise<Life> {
    this.#lives += 1;
    const orders: Orders = {
      storage: this.storage,
      temporary: path.join(this.root, "temporary"),
      lanes: [`git:${path.join(this.sample.clone, ".git")}`, "llm:anthropic", "llm:openai"],
      url: this.simulator.url,
      environment: sampleGitEnv,
      wishes: this.wishes.filter(({ key }) => !this.accepted.has(key)),
      takesChildren: this.options.powerCuts ?? false,
      reconciles: this.options.reconciles ?? true,
      unknownOutcomeWait: this.options.unknownOutcomeWait ?? 1.5,
      ...more,
    };
    return Life.begin(this.root, `life-${this.#lives}`, orders, user);
  }

  /** One process from start to end, with what it left in flight. */
  async live(kill?: Kill): Promise<Told> {
    const life = await this.begin(kill === undefined ? {} : { kill });
    const end = await life.end;
    this.take(life);
    if (end === "failed" || end === "stuck") this.noticed.push(`life ${this.#lives} ${end}: ${life.errors}`);
    return { end, open: openEffects(this.storage) };
  }

  /** One entry a push that the remote took, each with the lines that its hook was given. */
  async pushes(): Promise<readonly (readonly string[])[]> {
    const log = await readFile(path.join(this.sample.remote, "pushes.log"), "utf8");
    return log
      .split("\n\n")
      .map((push) => push.split("\n").filter((line) => line !== ""))
      .filter((lines) => lines.length > 0);
  }

  /** Notes what a process has acknowledged. */
  take({ accepted, refused }: Life): void {
    for (const [key, id] of accepted) this.accepted.set(key, id);
    this.noticed.push(...refused);
  }

  /** Collects everything that nothing holds; only while no git process of a dead life still makes objects. */
  async collectGarbage(): Promise<void> {
    while (!(await isQuiet(this.sample.root))) await new Promise((resolve) => setTimeout(resolve, 20));
    try {
      await git(this.sample.clone, "gc", "--prune=now", "--quiet");
    } catch (error) {
      // After a power cut a lock of the dead git may be in the way; a person would see the same.
      if (this.options.powerCuts !== true || !String(error).includes(".lock")) throw error;
    }
  }

  /** `keep`: what lies on the disk stays, for a person to look into. */
  async close({ keep = false } = {}): Promise<void> {
    await this.simulator.close();
    if (keep) return;
    while (!(await isQuiet(this.sample.root))) await new Promise((resolve) => setTimeout(resolve, 20));
    await rm(this.root, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function hook(repository: string, name: string, script: string): Promise<void> {
  const file = path.join(repository, "hooks", name);
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
}
