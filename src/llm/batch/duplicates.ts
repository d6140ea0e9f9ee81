import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { usd } from "../../core/stats.ts";
import { costOf } from "../pricing/rates.ts";
import type { RemoteBatch } from "../provider.ts";
import type { Billing } from "../settlement.ts";
import { wastedStats } from "../settlement.ts";
import { download, linesOf } from "./download.ts";
import type { Job } from "./job.ts";
import type { CreatedPart, Submissions } from "./parts.ts";
import { findCreated } from "./reconcile.ts";

interface Duplicate {
  readonly remoteId: string;
  ended: boolean;
  /** US dollars; `null` while unknown. */
  costUsd: number | null;
}

/**
 * Watches for creations that were given up as not having happened and show up late all the same. Such a batch is cancelled,
 * and what it cost until then is counted.
 */
export class Duplicates {
  readonly #job: Job;
  readonly #lost: Submissions["lost"];
  readonly #created: readonly CreatedPart[];
  readonly #found = new Map<string, Duplicate>();

  constructor(job: Job, { lost, created }: Submissions) {
    this.#job = job;
    this.#lost = lost;
    this.#created = created;
  }

  /** None is known that has not ended. */
  get settled(): boolean {
    return [...this.#found.values()].every(({ ended }) => ended);
  }

  detail(): Readonly<Record<string, unknown>> {
    if (this.#found.size === 0) return {};
    return { duplicates: [...this.#found.values()].map(({ remoteId, costUsd }) => ({ remoteId, costUsd })) };
  }

  /** Looks for late ones and asks about those found. Answers whether there is something new to show. */
  async look(billing: () => Promise<Billing>): Promise<boolean> {
    let news = false;
    for (const { at, plan } of this.#lost) {
      const again = this.#created.find(({ from }) => from === plan.from);
      const answer = await findCreated(this.#job, plan, at, again?.createdAt);
      const [only, ...more] = answer.kind === "ok" ? answer.value.filter(({ id }) => !this.#isOurs(id)) : [];
      // Several that fit cannot be told apart before they end, and another's must not be cancelled.
      if (only === undefined || more.length > 0 || this.#found.has(only.id)) continue;
      this.#found.set(only.id, { remoteId: only.id, ended: false, costUsd: null });
      this.#job.deps.log.warn(
        `Batch ${only.id} is a late duplicate of ${again?.remoteId ?? plan.mark}; cancelling it`,
      );
      if (only.status === "running") await this.#job.provider.cancel(only.id, this.#job.writing);
      news = true;
    }
    for (const duplicate of this.#found.values()) {
      if (duplicate.ended) continue;
      const answer = await this.#job.provider.poll(duplicate.remoteId, this.#job.reading);
      if (answer.kind === "failed" || answer.value.status !== "ended") continue;
      await this.#charge(duplicate, answer.value, await billing());
      news = true;
    }
    return news;
  }

  #isOurs(id: string): boolean {
    return this.#created.some(({ remoteId, others = [] }) => remoteId === id || others.includes(id));
  }

  /** Counts what the answers of an ended duplicate cost. */
  async #charge(duplicate: Duplicate, remote: RemoteBatch, billing: Billing): Promise<void> {
    let paid = 0n;
    const sums = new Map<string, bigint>();
    for (const [index, output] of remote.outputs.entries()) {
      const file = this.#job.file(`duplicate-${remote.id}-${index}.jsonl`);
      try {
        await download(this.#job, remote, output, file);
        if (!existsSync(file)) continue;
        for await (const { bytes } of linesOf(file)) {
          const outcome = this.#job.provider.readLine(bytes.toString("utf8"))?.outcome;
          if (outcome?.kind !== "succeeded") continue;
          const cost = billing.price === undefined ? undefined : costOf(outcome.usage, billing.price, true);
          paid += cost?.paid ?? 0n;
          for (const [counter, amount] of Object.entries(wastedStats(outcome.usage, billing))) {
            sums.set(counter, (sums.get(counter) ?? 0n) + BigInt(amount));
          }
        }
      } finally {
        await rm(file, { force: true });
      }
    }
    await this.#job.context.outcome({
      stats: { ...Object.fromEntries(sums), ...this.#job.takeHttpRequests() },
    });
    duplicate.ended = true;
    duplicate.costUsd = billing.price === undefined ? null : usd(paid);
  }
}
