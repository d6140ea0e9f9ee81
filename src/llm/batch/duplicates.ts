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
import { readPayload } from "../payload.ts";
import { priceOf } from "../pricing/pricer.ts";
import { forgetDuplicate, noteDuplicate, openDuplicates } from "./open-duplicates.ts";
import { findCreated } from "./reconcile.ts";

interface Duplicate {
  readonly remoteId: string;
  /** Of another batch of ours, which has ended before this one's cost was known. */
  inherited: boolean;
  readonly billing: () => Promise<Billing>;
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

  /** None of our own batch's is known that has not ended. */
  get settled(): boolean {
    return this.#own.every(({ ended }) => ended);
  }

  get #own(): readonly Duplicate[] {
    return [...this.#found.values()].filter(({ inherited }) => !inherited);
  }

  detail(): Readonly<Record<string, unknown>> {
    if (this.#own.length === 0) return {};
    return { duplicates: this.#own.map(({ remoteId, costUsd }) => ({ remoteId, costUsd })) };
  }

  /** Takes over what an earlier window found and could not count. */
  async inherit(): Promise<void> {
    for (const { remoteId, model, at } of await openDuplicates(this.#job)) {
      if (this.#job.budget.counting.has(remoteId)) continue;
      this.#job.budget.counting.add(remoteId);
      const billing = async (): Promise<Billing> => ({
        price: await priceOf(this.#job.provider.name, model, at, this.#job.deps.settings().prices),
        batch: true,
      });
      this.#found.set(remoteId, { remoteId, inherited: true, billing, ended: false, costUsd: null });
    }
  }

  /** Looks for late ones and asks about those found. Answers whether there is something new to show. */
  async look(billing: () => Promise<Billing>): Promise<boolean> {
    let news = false;
    for (const { at, plan } of this.#lost) {
      const again = this.#created.find(({ from }) => from === plan.from);
      const answer = await findCreated(this.#job, plan, at, again?.createdAt);
      const [only, ...more] = answer.kind === "ok" ? answer.value.filter(({ id }) => !this.#isOurs(id)) : [];
      // Several that fit cannot be told apart before they end, and another's must not be cancelled.
      if (only === undefined || more.length > 0) continue;
      const known = this.#found.get(only.id);
      // Found by an earlier window, while it followed this same batch.
      if (known?.inherited === true) known.inherited = false;
      if (known !== undefined) continue;
      await this.#note(only);
      this.#found.set(only.id, {
        remoteId: only.id,
        inherited: false,
        billing,
        ended: false,
        costUsd: null,
      });
      this.#job.deps.log.warn(
        `Batch ${only.id} is a late duplicate of ${again?.remoteId ?? plan.mark}; cancelling it`,
      );
      if (only.status === "running") await this.#job.provider.cancel(only.id, this.#job.writing);
      news = true;
    }
    for (const duplicate of this.#found.values()) {
      if (duplicate.ended) continue;
      const answer = await this.#job.provider.poll(duplicate.remoteId, this.#job.reading);
      if (answer.kind === "failed") continue;
      // The window that found it may have been gone before it could cancel it.
      if (answer.value.status === "running" && duplicate.inherited)
        await this.#job.provider.cancel(duplicate.remoteId, this.#job.writing);
      if (answer.value.status !== "ended") continue;
      await this.#charge(duplicate, answer.value, await duplicate.billing());
      await forgetDuplicate(this.#job, duplicate.remoteId);
      news = true;
    }
    return news;
  }

  /** Written down first: what a duplicate costs is to be counted even if this window ends before that is known. */
  async #note({ id, createdAt }: RemoteBatch): Promise<void> {
    const first = await this.#job.first();
    if (first === undefined) return;
    this.#job.budget.counting.add(id);
    await noteDuplicate(this.#job, { remoteId: id, model: readPayload(first).model, at: createdAt });
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
    await this.#job.write([], { stats: Object.fromEntries(sums) });
    duplicate.ended = true;
    duplicate.costUsd = billing.price === undefined ? null : usd(paid);
  }
}
