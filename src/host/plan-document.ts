import { env, l10n } from "vscode";
import type { Disposable } from "vscode";
import type { SideName } from "../core/operation.ts";
import type { Clock } from "../core/ports.ts";
import type { Snapshot } from "../core/snapshot.ts";
import { sidesOf } from "./commands/flush.ts";
import { numbersIn } from "./numbers.ts";
import type { FlushPlan } from "./flush-plan.ts";
import { openTabs } from "./open-tabs.ts";
import { planMarkdown } from "./plan-markdown.ts";
import { showRendered } from "./show-rendered.ts";
import { VirtualDocuments } from "./virtual-documents.ts";

/** Menus of its editors look for it. */
const SCHEME = "batch-control-plan";
/** A plan is made anew once the queue has been still for so long. */
const SETTLED_MS = 400;

interface PlanDeps {
  /** Rejects with why there can be no plan. */
  readonly plan: (sides: readonly SideName[]) => Promise<FlushPlan>;
  readonly snapshot: () => Snapshot;
  /** US dollars that requests may cost without a question; 0: any. */
  readonly maxCostPerFlush: () => number;
  readonly clock: Pick<Clock, "after">;
}

/** Plans rendered and read-only, one for each choice of sides, which follow the queue while they are open. */
export class PlanDocuments implements Disposable {
  readonly #deps: PlanDeps;
  readonly #documents = new VirtualDocuments([({ path }) => this.#text(path)], SCHEME);
  /** The text of each path, and what was queued when it was made. */
  readonly #made = new Map<string, { readonly queued: string; readonly text: string }>();
  #cancelTimer: (() => void) | undefined;

  constructor(deps: PlanDeps) {
    this.#deps = deps;
  }

  async show(sides: readonly SideName[], plan: FlushPlan): Promise<void> {
    const path = `/${sides.join("+")}/${l10n.t("Flush plan")}.md`;
    this.#made.set(path, { queued: this.#queued(path), text: this.#textOf(plan) });
    await showRendered(this.#documents.changed(path));
  }

  /** Call when the queue may have changed. */
  update(): void {
    const stale = openTabs(SCHEME).filter(({ path }) => this.#made.get(path)?.queued !== this.#queued(path));
    if (stale.length === 0) return;
    this.#cancelTimer?.();
    this.#cancelTimer = this.#deps.clock.after(SETTLED_MS, () => this.renew());
  }

  /** Call when plans read otherwise although the queue is the same. */
  renew(): void {
    this.#made.clear();
    for (const { path } of openTabs(SCHEME)) this.#documents.changed(path);
  }

  dispose(): void {
    this.#cancelTimer?.();
    this.#documents.dispose();
  }

  async #text(path: string): Promise<string> {
    const queued = this.#queued(path);
    const made = this.#made.get(path);
    if (made?.queued === queued) return made.text;
    const text = this.#textOf(await this.#deps.plan(sidesIn(path)));
    this.#made.set(path, { queued, text });
    return text;
  }

  #textOf(plan: FlushPlan): string {
    return planMarkdown(plan, l10n.t, numbersIn(env.language), this.#deps.maxCostPerFlush());
  }

  /** As far as the snapshot lists it: of a long queue its length and its beginning, so an edit further on goes unnoticed. */
  #queued(path: string): string {
    const snapshot = this.#deps.snapshot();
    const { holds } = snapshot;
    return JSON.stringify([
      holds,
      sidesIn(path).map((side) => [snapshot[side].queuedCount, snapshot[side].queued]),
    ]);
  }
}

const sidesIn = (path: string): readonly SideName[] =>
  sidesOf({}).filter((side) => path.split("/")[1]?.split("+").includes(side));
