import * as v from "valibot";
import type { Effect } from "../../core/effect.ts";
import { isOpen } from "../../core/effect.ts";
import type { EstimatedTokens } from "../pricing/estimate.ts";

/** The word of our effects: one creation of a batch at the provider. */
export const CREATE = "create";

/** Operations of our batch, by their place in it, that make one batch at the provider. */
export interface Part {
  readonly from: number;
  readonly count: number;
}

const createPlan = v.object({
  from: v.number(),
  count: v.number(),
  /** Requests in the body; fewer than `count` where operations were final before. */
  requests: v.number(),
  bytes: v.number(),
  /** Tokens as they were estimated. */
  estimate: v.object({ input: v.number(), output: v.number() }),
  /** What the provider keeps for finding it again, if it can. */
  mark: v.string(),
  /** The newest batch at the provider before the creation; `null`: there was none; left out: it could not be told. */
  baseline: v.optional(v.nullable(v.string())),
});
export type CreatePlan = v.InferOutput<typeof createPlan>;

const created = v.object({
  remoteId: v.string(),
  createdAt: v.number(),
  /** Found by elimination: to be confirmed by the ids in its results. */
  adopted: v.optional(v.boolean()),
  /** Others that fit as well. */
  others: v.optional(v.array(v.string())),
});
type Created = v.InferOutput<typeof created>;
const refusal = v.object({
  reason: v.string(),
  message: v.string(),
  /** The part is to be sent in two halves. */
  split: v.optional(v.boolean()),
  /** The provider will never take it: its operations fail. */
  final: v.optional(v.boolean()),
});
export type Refusal = v.InferOutput<typeof refusal>;

export interface CreatedPart extends Part, Created {
  /** Its effect's number. */
  readonly n: number;
  readonly requests: number;
  readonly estimate: EstimatedTokens;
}

export interface Submissions {
  /** A creation whose outcome is not known. */
  readonly open?: { readonly n: number; readonly at: number; readonly plan: CreatePlan };
  readonly created: readonly CreatedPart[];
  /** Still to be created, in order. */
  readonly todo: readonly Part[];
  /** Creations that were given up as not having happened; one of them may show up late. */
  readonly lost: readonly { readonly at: number; readonly plan: CreatePlan }[];
  readonly refused: readonly (Part & Refusal)[];
  /** Creations refused so far; paces the next attempt. */
  readonly refusals: number;
}

/** Where a batch stands, worked out of its effects alone, so that any window can go on. */
export function submissionsOf(effects: readonly Effect[], total: number): Submissions {
  let todo: readonly Part[] = total === 0 ? [] : [{ from: 0, count: total }];
  const done: CreatedPart[] = [];
  const lost: { at: number; plan: CreatePlan }[] = [];
  const refused: (Part & Refusal)[] = [];
  let refusals = 0;
  let open: Submissions["open"];
  for (const effect of effects) {
    if (effect.kind !== CREATE) continue;
    const plan = v.parse(createPlan, JSON.parse(effect.plan));
    const result: unknown = effect.result === undefined ? {} : JSON.parse(effect.result);
    if (isOpen(effect.state)) open = { n: effect.n, at: effect.at, plan };
    else if (effect.state === "done") {
      done.push({
        n: effect.n,
        from: plan.from,
        count: plan.count,
        requests: plan.requests,
        estimate: plan.estimate,
        ...v.parse(created, result),
      });
      todo = todo.filter((part) => part.from !== plan.from);
    } else if (effect.state === "abandoned") lost.push({ at: effect.at, plan });
    else {
      refusals += 1;
      const { from, count } = plan;
      const why = v.parse(refusal, result);
      // As it was then: what stood behind it may have left the batch since.
      if (why.split === true) todo = todo.flatMap((part) => (part.from === from ? halves(plan) : [part]));
      if (why.final !== true) continue;
      refused.push({ from, count, ...why });
      todo = todo.filter((part) => part.from !== from);
    }
  }
  todo = todo.filter(({ from }) => from < total);
  return { ...(open === undefined ? {} : { open }), created: done, todo, lost, refused, refusals };
}

const halves = ({ from, count }: Part): readonly Part[] => {
  const first = Math.ceil(count / 2);
  return [
    { from, count: first },
    { from: from + first, count: count - first },
  ];
};

export const inPart = (part: Part, index: number): boolean =>
  index >= part.from && index < part.from + part.count;
