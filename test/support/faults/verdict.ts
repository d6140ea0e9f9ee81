import { systemClock } from "../../../src/host/system-clock.ts";
import { openJournal } from "../../../src/journal/sqlite/open-journal.ts";
import type { Journal } from "../../../src/core/journal.ts";
import type { Operation } from "../../../src/core/operation.ts";
import type { Result } from "../../../src/core/result.ts";
import { v7 as newId } from "uuid";
import { repositoryProblems } from "./verdict-git.ts";
import { providerProblems } from "./verdict-llm.ts";
import { integrity, openEffects } from "./ledger.ts";
import type { Wish } from "./orders.ts";
import type { World } from "./world.ts";

/** One thing that was accepted, and what the journal says became of it. */
export interface Kept {
  readonly wish: Wish;
  readonly operation: Operation;
  readonly result: Result;
}

/** Everything that is wrong with a world that has come to rest; empty where nothing was lost and nothing done twice. */
export async function problemsOf(world: World): Promise<readonly string[]> {
  const opened = await openJournal(world.storage, { clock: systemClock, newId });
  if (opened.kind === "unavailable") return [opened.message];
  const { journal } = opened;
  try {
    const problems = [...world.noticed];
    const kept = await readKept(world, journal, problems);
    const state = await journal.state();
    problems.push(...(await repositoryProblems(world, kept, state.git.stats)));
    problems.push(...(await providerProblems(world, kept, state.llm.stats)));
    if (opened.report.damaged) problems.push("the journal was damaged");
    const open = openEffects(world.storage);
    if (open.length > 0) problems.push(`effects without an outcome: ${JSON.stringify(open)}`);
    const sound = integrity(world.storage);
    if (sound !== "ok") problems.push(`integrity check: ${sound}`);
    return problems;
  } finally {
    await journal.close();
  }
}

/** What the journal of a world answers, while no process of it needs to live. */
export async function inJournal<T>(world: World, look: (journal: Journal) => Promise<T>): Promise<T> {
  const opened = await openJournal(world.storage, { clock: systemClock, newId });
  if (opened.kind === "unavailable") throw new Error(opened.message);
  try {
    return await look(opened.journal);
  } finally {
    await opened.journal.close();
  }
}

async function readKept(world: World, journal: Journal, problems: string[]): Promise<readonly Kept[]> {
  const kept: Kept[] = [];
  for (const wish of world.wishes) {
    const id = world.accepted.get(wish.key);
    const operation = id === undefined ? undefined : await journal.operation(id);
    const result = id === undefined ? undefined : await journal.result(id);
    if (operation === undefined || result === undefined)
      problems.push(`${wish.key} was ${id === undefined ? "never accepted" : "lost"}`);
    else {
      kept.push({ wish, operation, result });
      if (result.status !== "succeeded")
        problems.push(`${wish.key} ${result.status}: ${result.reason ?? ""} ${result.error ?? ""}`);
    }
  }
  const counted = await countAll(journal);
  if (counted !== kept.length) problems.push(`${counted} operations for ${kept.length} wishes`);
  return kept;
}

async function countAll(journal: Journal): Promise<number> {
  let count = 0;
  for (let after: string | undefined; ;) {
    const page = await journal.operations({ limit: 500, ...(after === undefined ? {} : { after }) });
    count += page.length;
    after = page.at(-1)?.id;
    if (after === undefined) return count;
  }
}
