import { glob } from "node:fs/promises";
import path from "node:path";
import type { GitStats } from "../../../src/core/stats.ts";
import { git } from "../sample.ts";
import type { Kept } from "./verdict.ts";
import type { World } from "./world.ts";

/** Everything in the repository and its remote that does not follow from what was asked for, once each. */
export async function repositoryProblems(
  world: World,
  kept: readonly Kept[],
  stats: GitStats,
): Promise<readonly string[]> {
  const { clone, remote, worktrees } = world.sample;
  const problems: string[] = [];
  const made = countBy((await git(clone, "log", "--branches", "--format=%s")).split("\n"));
  for (const { wish, operation } of kept) {
    const wanted =
      operation.kind === "commit" || (operation.kind === "merge" && !isUpToDate(operation.detail));
    const times = made.get(wish.key) ?? 0;
    if (times !== (wanted ? 1 : 0)) problems.push(`${wish.key} was made ${times} times`);
  }
  // Nobody asks for a file to go.
  const gone = await git(clone, "log", "--branches", "--diff-filter=D", "--name-only", "--format=%s");
  if (gone !== "") problems.push(`deleted: ${gone.replaceAll("\n", " ")}`);
  problems.push(...(await remoteProblems(world)));
  const committed = (place: string): boolean => kept.some(({ wish }) => wish.git?.worktree === place);
  for (const place of [clone, ...worktrees.map((worktree) => worktree.path).filter(committed)]) {
    const status = await git(place, "status", "--porcelain");
    if (status !== "") problems.push(`${path.basename(place)} is not clean: ${status}`);
  }
  for (const repository of [clone, remote]) {
    const found = await git(repository, "fsck", "--strict", "--no-dangling", "--no-progress").catch(String);
    if (found !== "") problems.push(`fsck of ${path.basename(repository)}: ${found}`);
  }
  problems.push(...(await leftovers(clone, kept)));
  const count = (kind: string): number =>
    kept.filter(({ operation }) => operation.kind === kind && operation.status === "succeeded").length;
  const pushes =
    count("push") +
    kept.filter(
      ({ wish, result }) =>
        wish.git !== undefined &&
        "push" in wish.git &&
        wish.git.push === true &&
        result.status === "succeeded",
    ).length;
  compare(problems, "commits", stats.commits, count("commit"));
  compare(problems, "merges", stats.merges, count("merge"));
  compare(problems, "pushes delivered", stats.networkSavings + stats.pushesExecuted, pushes);
  compare(problems, "pushes requested", stats.pushesRequested, pushes);
  return problems;
}

async function remoteProblems(world: World): Promise<readonly string[]> {
  const problems: string[] = [];
  const { sample, wishes } = world;
  const { clone, remote } = sample;
  const asked = new Set(
    wishes.flatMap(({ git: input }) => (input?.kind === "push" ? (input.branch ?? []) : [])),
  );
  const [here, there] = await Promise.all([tips(clone), tips(remote)]);
  for (const branch of asked) {
    const [local, arrived] = [here.get(branch), there.get(branch)];
    if (local !== arrived)
      problems.push(`${branch} is at ${arrived} in the remote and at ${local} in the clone`);
  }
  const log = (await world.pushes()).flat();
  for (const [line, times] of countBy(log))
    if (times > 1) problems.push(`the remote took ${line} ${times} times`);
  return problems;
}

/** Object ids by the short names of branches. */
async function tips(repository: string): Promise<ReadonlyMap<string, string>> {
  const format = "--format=%(refname:lstrip=2) %(objectname)";
  const lines = (await git(repository, "for-each-ref", format, "refs/heads")).split("\n");
  return new Map(lines.map((line) => [line.split(" ")[0] ?? "", line.split(" ")[1] ?? ""]));
}

/** A process that was killed between pinning and accepting leaves a pin that goes a day later. */
async function leftovers(clone: string, kept: readonly Kept[]): Promise<readonly string[]> {
  const problems: string[] = [];
  const prefix = "refs/batch-control";
  const refs = await git(clone, "for-each-ref", "--format=%(refname)", `${prefix}/pin`, `${prefix}/tmp`);
  for (const ref of refs.split("\n").filter((line) => line !== "")) {
    const pinned = ref.slice(`${prefix}/pin/`.length);
    if (!ref.startsWith(`${prefix}/pin/`) || kept.some(({ operation }) => operation.id === pinned))
      problems.push(`${ref} is left`);
  }
  for await (const lock of glob(path.join(clone, ".git", "**", "*.lock"))) problems.push(`${lock} is left`);
  return problems;
}

const isUpToDate = (detail: unknown): boolean =>
  typeof detail === "object" && detail !== null && "upToDate" in detail;

function countBy(items: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

export function compare(problems: string[], what: string, counted: number, happened: number): void {
  if (counted !== happened)
    problems.push(`the statistics count ${counted} ${what}, but there were ${happened}`);
}
