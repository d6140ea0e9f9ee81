import path from "node:path";
import type { SampleWorktree } from "../sample.ts";
import { anthropicFaults } from "../simulator/index.ts";
import type { Dice } from "./dice.ts";
import { backlog } from "./ledger.ts";
import type { Kill, Step, Wish } from "./orders.ts";
import type { World } from "./world.ts";

const models = [
  { model: "claude-haiku-4-5", type: "implementer" },
  { model: "claude-sonnet-5-5", type: "judge" },
  { model: "gpt-6-luna", type: "planner", provider: "openai" },
] as const;

/** Operations that keep a life busy. */
const ENOUGH = 5;
/** Steps that are only taken for something new. */
const needsNew = new Set<Step | undefined>(["enqueue", "seal", "recordStart", "release", "remember"]);

/** Makes the wishes of one life after the other, each with a name of its own that shows in what it does. */
export class Rounds {
  readonly #world: World;
  readonly #dice: Dice;
  #count = 0;

  constructor(world: World, dice: Dice) {
    this.#world = world;
    this.#dice = dice;
  }

  /** What the agents of the sample have changed already. */
  first(): void {
    for (const { path: worktree, files, branch } of this.#world.sample.worktrees) {
      const key = this.#key("commit");
      this.#world.wish({ key, chain: branch, git: { worktree, message: key, files: [...files] } });
    }
  }

  /** A commit, and what else fits the step at which the life is to end; less while much is still to be done. */
  next(kill: Kill): void {
    const { sample, storage } = this.#world;
    const step = kill.kind === "step" ? kill.step : undefined;
    if (!needsNew.has(step) && backlog(storage) >= ENOUGH) return;
    const worktree = this.#dice.pick(sample.worktrees);
    this.#commit(worktree);
    if (this.#dice.hits(0.25)) this.#commit(worktree);
    const merges = this.#dice.hits(0.45);
    if (merges) this.#merge(worktree, this.#dice.hits(0.5));
    if (step === "recordStart" || this.#dice.hits(merges ? 0.2 : 0.6))
      this.#push(worktree.branch, worktree.path);
    if (step === "release") {
      this.#request(0);
      this.#world.misbehave({ match: creations, do: anthropicFaults.unauthorized() });
    }
    if (step === "remember" || this.#dice.hits(0.5)) this.#request(this.#dice.below(models.length));
    if (this.#dice.hits(0.3)) this.#request(this.#dice.below(models.length));
  }

  /** Everything that is still only here goes to the remote. */
  last(): void {
    const { clone, worktrees } = this.#world.sample;
    for (const { branch, path: place } of worktrees) this.#push(branch, place);
    for (const branch of ["main", "trunk"]) this.#push(branch, clone);
  }

  #key(what: string): string {
    this.#count += 1;
    return `${what}-${this.#count}`;
  }

  #commit({ path: worktree, branch }: SampleWorktree): void {
    const key = this.#key("commit");
    const file = this.#dice.hits(0.3) ? `notes/${path.basename(branch)}.md` : `notes/${key}.md`;
    this.#world.wish({
      key,
      chain: branch,
      files: { [path.join(worktree, file)]: `${key}\n`.repeat(1 + this.#dice.below(200)) },
      git: { worktree, message: key, files: [file] },
    });
  }

  /** `main` is checked out in the clone, `trunk` is nowhere. */
  #merge({ branch }: SampleWorktree, push: boolean): void {
    const key = this.#key("merge");
    const target = this.#dice.pick(["main", "trunk"]);
    const worktree = this.#world.sample.clone;
    this.#world.wish({ key, chain: branch, git: { worktree, source: branch, target, message: key, push } });
  }

  #push(branch: string, worktree: string): void {
    const key = this.#key("push");
    const wish: Wish = { key, chain: branch, git: { kind: "push", worktree, branch } };
    this.#world.wish(wish);
  }

  #request(index: number): void {
    const key = this.#key("request");
    const group = models[index] ?? models[0];
    this.#world.wish({ key, chain: key, llm: { ...group, prompt: `Tell me about ${key}.`, maxTokens: 64 } });
  }
}

const creations = { method: "POST", path: "/v1/messages/batches" };
