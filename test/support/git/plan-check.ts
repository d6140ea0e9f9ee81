import assert from "node:assert/strict";
import type { StoredOperation } from "../../../src/core/operation.ts";
import type { Result } from "../../../src/core/result.ts";
import type { GitPreviewData } from "../../../src/git/index.ts";
import type { Sandbox } from "../../unit/git/sandbox.ts";
import { checkPushes } from "./push-check.ts";
import type { GitTrace } from "./trace.ts";

/** What only running could tell: everything else has to happen as it was planned. Operations by id. */
export interface Surprises {
  /** Operations that were planned to succeed, and the reason with which they failed. */
  readonly ends?: Readonly<Record<string, string>>;
  /** Files that hooks put into a commit besides what was planned. */
  readonly hookFiles?: Readonly<Record<string, readonly string[]>>;
  /** A host told its limit, or the network failed, so pushes were begun that the plan did not count. */
  readonly morePushes?: number;
  /** Branches that somebody else moved meanwhile. */
  readonly movedByOthers?: readonly string[];
  /** Warnings of the plan besides the one on merges; exactly these. */
  readonly warnings?: readonly RegExp[];
}

export interface Happened {
  readonly result: (id: string) => Result;
  readonly detail: (id: string) => Readonly<Record<string, unknown>>;
  readonly surprises: Surprises;
}

type Refs = ReadonlyMap<string, string>;

/** Remembers how things stand before a flush; what it answers compares the plans with what came of it. */
export function checkPlan(
  sandbox: Sandbox,
  plans: readonly GitPreviewData[],
  queued: readonly StoredOperation[],
  trace: GitTrace,
): (happened: Happened) => void {
  const before = new Map(plans.map(({ group }) => [group, refsOf(sandbox, group)]));
  const pushed = trace.pushes().length;
  return (happened) => {
    checkEnds(plans, queued, happened);
    for (const plan of plans) {
      const refs = {
        before: before.get(plan.group) ?? new Map<string, string>(),
        after: refsOf(sandbox, plan.group),
      };
      for (const step of plan.commits) checkCommits(sandbox, plan, step, refs, happened);
      for (const step of plan.merges) checkMerges(sandbox, plan, step, refs, happened);
      checkMoves(sandbox, plan, refs, happened);
    }
    checkPushes(sandbox, plans, trace.pushes().slice(pushed), happened);
    checkWarnings(plans, happened.surprises);
  };
}

const folderOf = ({ group }: { readonly group: string }): string => group.slice("git:".length);

function refsOf(sandbox: Sandbox, group: string): Refs {
  const output = sandbox.git(
    folderOf({ group }),
    "for-each-ref",
    "--format=%(objectname) %(refname)",
    "refs/heads",
    "refs/tags",
  );
  return new Map(
    output
      .split("\n")
      .flatMap((line) =>
        line === "" ? [] : [[line.slice(line.indexOf(" ") + 1), line.slice(0, line.indexOf(" "))] as const],
      ),
  );
}

/** Every operation ended as planned, problems with the very words, files and opponents of the plan. */
function checkEnds(
  plans: readonly GitPreviewData[],
  queued: readonly StoredOperation[],
  { result, detail, surprises }: Happened,
): void {
  const problems = new Map(plans.flatMap((plan) => plan.problems).map((problem) => [problem.id, problem]));
  const planned = queued.map(({ id, label }) => [
    label,
    problems.get(id)?.reason ?? surprises.ends?.[id] ?? "succeeded",
  ]);
  const ended = queued.map(({ id, label }) => [
    label,
    result(id).status === "succeeded" ? "succeeded" : result(id).reason,
  ]);
  assert.deepEqual(ended, planned);
  for (const id of Object.keys(surprises.ends ?? {})) assert.ok(!problems.has(id), `the plan knew of ${id}`);
  for (const { id, error, detail: more = {} } of problems.values()) {
    assert.equal(result(id).error, error);
    for (const [name, value] of Object.entries(more)) assert.deepEqual(detail(id)[name], value, name);
  }
}

const succeededOf = (
  operations: readonly { readonly id: string }[],
  { result }: Happened,
): readonly string[] =>
  operations
    .map(({ id }) => id)
    .filter((id) => result(id).status === "succeeded" || result(id).commit !== undefined);

/** Commits that the branch gained on its first-parent line, oldest first. */
function gained(
  sandbox: Sandbox,
  plan: GitPreviewData,
  branch: string,
  { before, after }: { readonly before: Refs; readonly after: Refs },
): readonly string[] {
  const ref = `refs/heads/${branch}`;
  const [old, now] = [before.get(ref), after.get(ref)];
  if (now === undefined || now === old) return [];
  const range = old === undefined ? [now] : [now, `^${old}`];
  return sandbox
    .git(folderOf(plan), "rev-list", "--reverse", "--first-parent", ...range, "--")
    .split("\n")
    .filter((oid) => oid !== "");
}

type Both = Parameters<typeof gained>[3];

function checkCommits(
  sandbox: Sandbox,
  plan: GitPreviewData,
  step: GitPreviewData["commits"][number],
  refs: Both,
  happened: Happened,
): void {
  const made = succeededOf(step.operations, happened);
  const byCommit = new Map(made.map((id) => [happened.result(id).commit, id]));
  const there = gained(sandbox, plan, step.branch, refs).flatMap((oid) => byCommit.get(oid) ?? []);
  assert.deepEqual(there, made, `commits on ${step.branch}, in order`);
  for (const { id, files } of step.operations.filter((operation) => made.includes(operation.id))) {
    const { engine, because } = happened.detail(id);
    assert.deepEqual([engine, because], [step.engine, step.because]);
    const args = ["diff-tree", "--root", "-r", "-z", "--no-renames", "--no-commit-id", "--name-only"];
    const listed = sandbox
      .git(folderOf(plan), ...args, happened.result(id).commit ?? "")
      .split("\0")
      .filter((name) => name !== "");
    assert.deepEqual([...listed].sort(), [...files, ...(happened.surprises.hookFiles?.[id] ?? [])].sort());
  }
}

const isUpToDate = (id: string, { detail }: Happened): boolean => detail(id)["upToDate"] === true;

function checkMerges(
  sandbox: Sandbox,
  plan: GitPreviewData,
  step: GitPreviewData["merges"][number],
  refs: Both,
  happened: Happened,
): void {
  const landed = succeededOf(step.operations, happened);
  const line = gained(sandbox, plan, step.target, refs);
  const moving = landed.filter((id) => !isUpToDate(id, happened));
  assert.deepEqual(
    moving.map((id) => happened.result(id).commit),
    line.filter((oid) => moving.some((id) => happened.result(id).commit === oid)),
    `merges into ${step.target}, in order`,
  );
  for (const id of landed.filter((done) => isUpToDate(done, happened)))
    assert.ok(
      sandbox.gitWorks(
        folderOf(plan),
        "merge-base",
        "--is-ancestor",
        happened.result(id).commit ?? "",
        `refs/heads/${step.target}`,
      ),
    );
  if (step.checkedOutIn !== undefined)
    assert.equal(sandbox.tip(step.checkedOutIn, "HEAD"), refs.after.get(`refs/heads/${step.target}`));
}

/** No branch or tag moved but those of the plan, and each by no more commits than planned. */
function checkMoves(sandbox: Sandbox, plan: GitPreviewData, refs: Both, happened: Happened): void {
  const others = happened.surprises.movedByOthers ?? [];
  const wanted = new Map<string, number>();
  const count = (branch: string, ids: readonly string[]): void => {
    if (ids.length > 0) wanted.set(branch, (wanted.get(branch) ?? 0) + ids.length);
  };
  for (const { branch, operations } of plan.commits) count(branch, succeededOf(operations, happened));
  for (const { target, operations } of plan.merges)
    count(
      target,
      succeededOf(operations, happened).filter((id) => !isUpToDate(id, happened)),
    );
  const names = new Set([...refs.before.keys(), ...refs.after.keys()]);
  const moved = [...names]
    .filter((ref) => refs.before.get(ref) !== refs.after.get(ref))
    .map((ref) => ref.slice("refs/heads/".length));
  assert.deepEqual(
    moved.filter((branch) => !others.includes(branch)).sort(),
    [...wanted.keys()].filter((branch) => !others.includes(branch)).sort(),
  );
  const forwarded = new Set(
    plan.merges.flatMap(({ target, operations }) =>
      operations.some(({ mode }) => mode === "ff-only") ? [target] : [],
    ),
  );
  for (const [branch, size] of wanted) {
    if (others.includes(branch) || forwarded.has(branch)) continue;
    assert.equal(gained(sandbox, plan, branch, refs).length, size, `commits that ${branch} gained`);
  }
}

function checkWarnings(plans: readonly GitPreviewData[], { warnings = [] }: Surprises): void {
  const merges = plans.filter((plan) => plan.merges.length > 0).map(() => /run no merge hooks/);
  const told = plans.flatMap((plan) => plan.warnings);
  assert.equal(told.length, warnings.length + merges.length, told.join("\n"));
  for (const pattern of [...warnings, ...merges])
    assert.ok(
      told.some((text) => pattern.test(text)),
      `${pattern} in\n${told.join("\n")}`,
    );
}
