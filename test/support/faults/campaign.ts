import { Dice } from "./dice.ts";
import type { Kill } from "./orders.ts";
import { steps } from "./orders.ts";
import { Rounds } from "./rounds.ts";
import type { WorldOptions } from "./world.ts";
import { World } from "./world.ts";
import { problemsOf } from "./verdict.ts";

/** A kill that does not come about, because the life had nothing of its kind to do, is tried again so often. */
const MOST_TRIES = 4;
/** Lives mostly wait: for hooks, for the provider, for the disk. */
const WORLDS_AT_ONCE = 4;

export interface CampaignPlan {
  readonly seed: string;
  readonly worlds: readonly WorldOptions[];
  readonly kills: readonly Kill[];
  /** Which share of the kills is followed by a `git gc --prune=now`. */
  readonly gcShare: number;
}

/** What happened over all worlds. */
export interface Tally {
  /** By step and moment, such as `after seal`. */
  readonly kills: Map<string, number>;
  /** Kills that left an effect without an outcome in the journal, by the effect's kind. */
  readonly inFlight: Map<string, number>;
  flights: number;
  lives: number;
  readonly problems: string[];
}

/** Ten kills before and ten after each step, and as many in flight as asked for. */
export function allKills(dice: Dice, { each, flights }: { each: number; flights: number }): readonly Kill[] {
  const kills: Kill[] = [];
  for (const step of steps) {
    for (const when of ["before", "after"] as const) {
      for (let n = 0; n < each; n += 1)
        kills.push({ kind: "step", step, when, nth: step === "recordOutcome" ? 1 + dice.below(3) : 1 });
    }
  }
  for (let n = 0; n < flights; n += 1)
    kills.push({ kind: "flight", nth: 1 + dice.below(3), afterMs: dice.below(60) });
  return dice.shuffled(kills);
}

/** Deals the kills out to the worlds, lets each world live through its own and come to rest, and judges it. */
export async function campaign(plan: CampaignPlan): Promise<Tally> {
  const tally: Tally = { kills: new Map(), inFlight: new Map(), flights: 0, lives: 0, problems: [] };
  const waiting = plan.worlds.map((options, index) => ({
    options,
    name: `${plan.seed}/${index}`,
    kills: plan.kills.filter((_kill, at) => at % plan.worlds.length === index),
  }));
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      await play(next.options, next.name, next.kills, plan.gcShare, tally);
  };
  await Promise.all(Array.from({ length: WORLDS_AT_ONCE }, worker));
  return tally;
}

async function play(
  options: WorldOptions,
  name: string,
  kills: readonly Kill[],
  gcShare: number,
  tally: Tally,
): Promise<void> {
  const dice = new Dice(name);
  const world = await World.create(options);
  const rounds = new Rounds(world, dice);
  rounds.first();
  for (const kill of kills) {
    for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
      rounds.next(kill);
      if (dice.hits(0.05)) world.misbehave(dice.pick(connectionFaults));
      const { end, open } = await world.live(kill);
      tally.lives += 1;
      if (end !== "killed") continue;
      const what = kill.kind === "step" ? `${kill.when} ${kill.step}` : "in flight";
      tally.kills.set(what, (tally.kills.get(what) ?? 0) + 1);
      if (open.length > 0) tally.flights += 1;
      for (const effect of open) tally.inFlight.set(effect.kind, (tally.inFlight.get(effect.kind) ?? 0) + 1);
      if (dice.hits(gcShare)) await world.collectGarbage();
      break;
    }
  }
  rounds.last();
  await world.live();
  const problems = await problemsOf(world);
  tally.problems.push(...problems.map((problem) => `${name}: ${problem}`));
  const keep = problems.length > 0 && process.env["FAULTS_KEEP"] !== undefined;
  if (keep) console.log(`    ${name} is kept in ${world.root}`);
  await world.close({ keep });
}

const creation = { method: "POST", path: /batches$/ };
/** The connection breaks before or after the provider has acted. */
const connectionFaults = [
  { match: creation, do: { kind: "drop", acted: false } },
  { match: creation, do: { kind: "drop", acted: true } },
  { match: { method: "GET" }, do: { kind: "drop", acted: false } },
] as const;
