/**
 * Ratios of the git side against raw git and against the usual way, in one run on one machine.
 * `node test/bench/git.bench.ts [files] [commits]`; prints a table and ends with 1 where a bound does not hold.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { simpleGit } from "simple-git";
import { v7 } from "uuid";
import type { Result } from "../../src/core/result.ts";
import { importStream } from "../../src/git/fast-import.ts";
import { systemClock as clock } from "../../src/host/system-clock.ts";
import { openJournal } from "../../src/journal/sqlite/open-journal.ts";
import { until } from "../support/faults/until.ts";
import { Product } from "../support/git/product.ts";
import { Desk } from "../unit/git/desk.ts";
import { Sandbox } from "../unit/git/sandbox.ts";

const files = Number(process.argv[2] ?? 50_000);
const commits = Number(process.argv[3] ?? 1000);
const WORKTREES = 10;
const NAIVE = 20;
const rows: { what: string; ours: string; against: string; ratio: string; bound: string; holds: boolean }[] =
  [];

const newId = (): string => v7();

const seconds = async (work: () => unknown): Promise<number> => {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
};
/** Seconds of both, taken in turns: the middle of three passes each, for a single one says more of the machine than of us. */
async function inTurns(
  theirs: (pass: number) => unknown,
  ours: (pass: number) => Promise<number>,
): Promise<{ readonly mine: number; readonly raw: number }> {
  const taken: { readonly mine: number; readonly raw: number }[] = [];
  for (let pass = 0; pass < 3; pass += 1) {
    const raw = await seconds(() => theirs(pass));
    taken.push({ mine: await ours(pass), raw });
  }
  const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[1] ?? NaN;
  return { mine: middle(taken.map(({ mine }) => mine)), raw: middle(taken.map(({ raw }) => raw)) };
}
const report = (
  what: string,
  ours: number,
  against: number,
  bound: string,
  ratio: number,
  holds: boolean,
): void => {
  rows.push({
    what,
    ours: `${ours.toFixed(2)} s`,
    against: `${against.toFixed(2)} s`,
    ratio: ratio.toFixed(2),
    bound,
    holds,
  });
};
const atMost = (what: string, ours: number, raw: number, bound: number): void =>
  report(what, ours, raw, `≤ ${bound} ×`, ours / raw, ours / raw <= bound);
const faster = (what: string, ours: number, slow: number, bound: number): void =>
  report(what, ours, slow, `≥ ${bound} × faster`, slow / ours, slow / ours >= bound);

/** A repository of many files, made without an `add` of each. */
function large(sandbox: Sandbox, name: string, count: number, checkOut: boolean): string {
  const path = sandbox.path(name);
  mkdirSync(path);
  sandbox.git(path, "init", "-q", "-b", "main");
  sandbox.git(path, "config", "user.name", "Ada");
  sandbox.git(path, "config", "user.email", "ada@example.com");
  const lines = Array.from(
    { length: count },
    (_, index) =>
      `M 100644 inline d${index % 500}/f${index}.txt\ndata 4\nx${String(index % 100).padStart(2, "0")}\n\n`,
  );
  const stream = `commit refs/heads/main\ncommitter A <a@b> 1700000000 +0000\ndata 5\nfirst\n${lines.join("")}done\n`;
  execFileSync("git", ["fast-import", "--quiet", "--done"], {
    cwd: path,
    input: stream,
    env: sandbox.environment,
    maxBuffer: 1e9,
  });
  if (checkOut) sandbox.git(path, "reset", "-q", "--hard");
  else sandbox.git(path, "read-tree", "HEAD");
  return path;
}

async function commitSpeed(): Promise<void> {
  const sandbox = new Sandbox();
  try {
    const main = large(sandbox, "clone", files, false);
    const worktrees = Array.from({ length: WORKTREES }, (_, index) => {
      const path = sandbox.path(`w${index}`);
      sandbox.git(main, "worktree", "add", "-q", "--no-checkout", "-b", `w${index}`, path);
      sandbox.git(path, "read-tree", "HEAD");
      return path;
    });
    const write = (round: string): { worktree: string; file: string }[] =>
      Array.from({ length: commits }, (_, index) => {
        const worktree = worktrees[index % WORKTREES]!;
        const file = `d${index % 500}/${round}${index}.txt`;
        sandbox.write(join(worktree, file), `${round} ${index}\n`);
        return { worktree, file };
      });
    const raw = await seconds(() => rawCommits(sandbox, main, worktrees, write("raw")));
    const ours = await durableCommits(sandbox, main, write("ours"));
    atMost(`${commits} commits, ${files} files, against raw import`, ours, raw, 1.5);
    const naive = write("naive").slice(0, NAIVE);
    const loop = await seconds(async () => {
      for (const { worktree, file } of naive) {
        const git = simpleGit(worktree);
        await git.raw(["add", "--", file]);
        await git.raw(["commit", "-q", "-m", file]);
      }
    });
    faster(`the same against simple-git add + commit (${NAIVE}, scaled)`, ours, (loop / NAIVE) * commits, 50);
  } finally {
    sandbox.dispose();
  }
}

/** Seconds from flush to the last success, with the journal on disk as in a window. Pinning at enqueue is reported beside it. */
async function durableCommits(
  sandbox: Sandbox,
  main: string,
  work: readonly { worktree: string; file: string }[],
): Promise<number> {
  const opened = await openJournal(sandbox.path("journal"), { clock, newId });
  if (opened.kind === "unavailable") throw new Error(opened.message);
  const product = await Product.open(sandbox, { journal: opened.journal, clock, untraced: true });
  try {
    const { git, gitRoom, runner } = product.engine;
    runner.claim([`git:${join(main, ".git")}`]);
    let accepted: Awaited<ReturnType<typeof git.enqueue>>[] = [];
    const pinning = await seconds(async () => {
      accepted = await Promise.all(
        work.map(({ worktree, file }) =>
          git.enqueue({ kind: "commit", worktree, message: file, files: [file] }),
        ),
      );
    });
    await until(() => runner.leader());
    const before = gitRoom.git.started;
    let results: readonly Result[] = [];
    const taken = await seconds(async () => {
      await git.flush();
      results = await Promise.all(accepted.map(({ result }) => result));
    });
    const bad = results.find(({ status }) => status !== "succeeded");
    if (bad) throw new Error(`not all commits were made: ${bad.error}`);
    const started = gitRoom.git.started - before;
    console.log(
      `queueing ${work.length} commits, pinned and written down: ${pinning.toFixed(2)} s; processes from flush to last success: ${started}`,
    );
    return taken;
  } finally {
    await product.close();
  }
}

/** hash-object, fast-import, update-ref, update-index: the least that makes these commits. */
function rawCommits(
  sandbox: Sandbox,
  main: string,
  worktrees: readonly string[],
  work: readonly { worktree: string; file: string }[],
): void {
  const run = (cwd: string, args: readonly string[], input: string | Buffer): string =>
    execFileSync("git", args, { cwd, input, env: sandbox.environment, maxBuffer: 1e9 }).toString();
  const ident = Buffer.from("Ada <ada@example.com> 1700000000 +0000");
  const oids = new Map<string, string>();
  for (const worktree of worktrees) {
    const own = work.filter((item) => item.worktree === worktree).map(({ file }) => file);
    run(worktree, ["hash-object", "-w", "--stdin-paths"], `${own.join("\n")}\n`)
      .trim()
      .split("\n")
      .forEach((oid, index) => oids.set(own[index]!, oid));
  }
  const tip = sandbox.tip(main, "main");
  const branches = worktrees.map((worktree, index) => ({
    ref: `refs/raw/${index}`,
    from: tip,
    keep: true,
    commits: work
      .filter((item) => item.worktree === worktree)
      .map(({ file }) => ({
        author: ident,
        committer: ident,
        message: Buffer.from(`${file}\n`),
        changes: new Map([[file, { mode: "100644", oid: oids.get(file)! }]]),
      })),
  }));
  run(
    main,
    ["fast-import", "--quiet", "--done", "--date-format=raw"],
    Buffer.concat([...importStream(branches)]),
  );
  run(
    main,
    ["update-ref", "--stdin"],
    worktrees
      .map((_, index) => `update refs/heads/w${index} ${sandbox.tip(main, `refs/raw/${index}`)}\n`)
      .join(""),
  );
  for (const worktree of worktrees) {
    const lines = work
      .filter((item) => item.worktree === worktree)
      .map(({ file }) => `100644 ${oids.get(file)!}\t${file}\0`);
    run(worktree, ["update-index", "-z", "--index-info"], lines.join(""));
  }
}

async function hookSpeed(count: number, rounds: number, bound: number): Promise<void> {
  const sandbox = new Sandbox();
  try {
    const main = large(sandbox, "clone", count, true);
    sandbox.hook(main, "pre-commit", "exit 0");
    const bare = (pass: number): void => {
      for (let index = 0; index < rounds; index += 1) {
        const file = `bare${pass}-${index}.txt`;
        writeFileSync(join(main, file), `${index}\n`);
        sandbox.git(main, "update-index", "--add", file);
        sandbox.git(main, "commit", "-q", "-m", `${index}`);
      }
    };
    const desk = new Desk(sandbox);
    const ours = async (pass: number): Promise<number> => {
      for (let index = 0; index < rounds; index += 1) {
        const file = `ours${pass}-${index}.txt`;
        writeFileSync(join(main, file), `${index}\n`);
        await desk.enqueue({ worktree: main, message: `${index}`, files: [file] });
      }
      return seconds(() => desk.flush());
    };
    const { mine, raw } = await inTurns(bare, ours);
    if (sandbox.status(main) !== "") throw new Error("the worktree is not clean");
    atMost(`${rounds} commits with a hook, ${count} files, against add + commit`, mine, raw, bound);
  } finally {
    sandbox.dispose();
  }
}

async function pushSpeed(count: number): Promise<void> {
  const sandbox = new Sandbox();
  try {
    const main = sandbox.repository("clone");
    const remote = sandbox.remote(main);
    // A connection that takes as long to set up as one over a network.
    const wrapper = sandbox.path("receive-pack");
    sandbox.write(wrapper, '#!/bin/sh\nsleep 0.3\nexec git-receive-pack "$@"\n');
    sandbox.makeExecutable(wrapper);
    sandbox.git(main, "config", "remote.origin.receivepack", wrapper);
    const branches = (round: string): string[] =>
      Array.from({ length: count }, (_, index) => {
        const commit = sandbox
          .git(main, "commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", `${round}${index}`)
          .trim();
        sandbox.git(main, "update-ref", `refs/heads/${round}${index}`, commit);
        return `${round}${index}`;
      });
    const each = branches("each").slice(0, NAIVE);
    const one = branches("one");
    const ours = branches("ours");
    const single = await seconds(() =>
      each.forEach((name) => sandbox.git(main, "push", "-q", "origin", name)),
    );
    const raw = await seconds(() => sandbox.git(main, "push", "--porcelain", "origin", ...one));
    const desk = new Desk(sandbox);
    for (const branch of ours) await desk.enqueue({ worktree: main, branch });
    const mine = await seconds(() => desk.flush());
    if (remote.pushes().at(-1) !== count) throw new Error("not one push of all");
    atMost(`${count} branches, 0.3 s to connect, against one raw git push`, mine, raw, 1.15);
    faster(`the same against a push each (${NAIVE}, scaled)`, mine, (single / NAIVE) * count, 20);
  } finally {
    sandbox.dispose();
  }
}

async function mergeSpeed(count: number): Promise<void> {
  const sandbox = new Sandbox();
  try {
    const main = large(sandbox, "clone", files, false);
    const make = (round: string): string[] =>
      Array.from({ length: count }, (_, index) => {
        const stream = `commit refs/heads/${round}${index}\ncommitter A <a@b> 1700000000 +0000\ndata 1\nx\nfrom refs/heads/main\nM 100644 inline d${index}/${round}.txt\ndata 2\n${index % 10}\n\ndone\n`;
        execFileSync("git", ["fast-import", "--quiet", "--done"], {
          cwd: main,
          input: stream,
          env: sandbox.environment,
        });
        return `${round}${index}`;
      });
    const sources = make("b");
    const names = [0, 1, 2].flatMap((pass) => [`raw${pass}`, `ours${pass}`]);
    for (const name of [...names, "slow"]) sandbox.git(main, "branch", name, "main");
    const chain = (pass: number): void => {
      let tip = sandbox.tip(main, `raw${pass}`);
      for (const source of sources) {
        const tree = sandbox.git(main, "merge-tree", "--write-tree", tip, source).trim();
        tip = sandbox.git(main, "commit-tree", tree, "-p", tip, "-p", source, "-m", source).trim();
      }
      sandbox.git(main, "update-ref", `refs/heads/raw${pass}`, tip);
    };
    const desk = new Desk(sandbox);
    const ours = async (pass: number): Promise<number> => {
      for (const source of sources) await desk.enqueue({ worktree: main, source, target: `ours${pass}` });
      return seconds(() => desk.flush());
    };
    const { mine, raw } = await inTurns(chain, ours);
    if (sandbox.tip(main, "ours2^{tree}") !== sandbox.tip(main, "raw2^{tree}"))
      throw new Error("not the same tree");
    atMost(`${count} merges, ${files} files, against the raw merge-tree chain`, mine, raw, 1.3);
    const place = sandbox.path("place");
    sandbox.git(main, "worktree", "add", "-q", "--detach", place, "main");
    const slow = await seconds(() => {
      for (const source of sources.slice(0, 5)) {
        sandbox.git(place, "checkout", "-q", "slow");
        sandbox.git(place, "merge", "-q", "--no-edit", source);
        sandbox.git(place, "checkout", "-q", "--detach", "main");
      }
    });
    faster("the same against checkout + merge (5, scaled)", mine, (slow / 5) * count, 10);
  } finally {
    sandbox.dispose();
  }
}

const only = process.argv[4]?.split(",");
const wanted = (name: string): boolean => only === undefined || only.includes(name);
if (wanted("commits")) await commitSpeed();
if (wanted("pushes")) await pushSpeed(100);
if (wanted("merges")) await mergeSpeed(50);
if (wanted("hooks")) {
  await hookSpeed(100, 20, 1.6);
  await hookSpeed(files, 30, 1.1);
}
console.table(rows);
process.exitCode = rows.every(({ holds }) => holds) ? 0 : 1;
