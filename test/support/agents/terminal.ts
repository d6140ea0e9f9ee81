import { spawn } from "node:child_process";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { mkdir, open as openFile, realpath, writeFile } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import type { EndpointDeps } from "../../../src/agents/endpoint.ts";
import { root } from "../paths.ts";
import { FakeUser } from "./windows.ts";
import type { FakeWindow } from "./windows.ts";

const program = path.join(root, "src/agents/cli.ts");

/** Each tool's answer, by its name without what all begin with; an error is a refusal. */
export type Answers = Readonly<Record<string, unknown>>;

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** What a person has before them who types `batch-control`. */
export interface Terminal {
  readonly home: string;
  /** The folder that all editors of the user share. */
  readonly folder: string;
  /** A linked worktree with a folder `src/deep`. */
  readonly worktree: string;
  start(
    args: readonly string[],
    cwd?: string,
  ): { readonly child: ChildProcessWithoutNullStreams; readonly ended: Promise<Ended> };
  run(...args: readonly string[]): Promise<Ended>;
  /** With its output in a file that is there. */
  runInto(file: string, ...args: readonly string[]): Promise<Omit<Ended, "out">>;
  open(run: EndpointDeps["run"]): Promise<FakeWindow>;
  /** A window whose tools answer the same every time. */
  answering(answers: Answers): Promise<FakeWindow>;
}

/** Gives each test of the suite around it a user without windows. */
export function useTerminal(): Terminal {
  let user: FakeUser;
  let worktree: string;

  beforeEach(async () => {
    user = await FakeUser.create();
    worktree = path.join(await realpath(user.home), "work tree");
    await mkdir(path.join(worktree, "src", "deep"), { recursive: true });
    await writeFile(path.join(worktree, ".git"), "gitdir: elsewhere\n");
  });
  afterEach(() => user.dispose());

  const start: Terminal["start"] = (args, cwd = worktree) => {
    const child = spawn(process.execPath, [program, ...args], {
      cwd,
      env: { PATH: process.env["PATH"], HOME: user.home },
    });
    const all = Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]);
    return { child, ended: all.then(([[code], out, err]) => ({ code: code as number | null, out, err })) };
  };
  const runInto: Terminal["runInto"] = async (file, ...args) => {
    const out = await openFile(file, "a");
    try {
      const child = spawn(process.execPath, [program, ...args], {
        cwd: worktree,
        env: { PATH: process.env["PATH"], HOME: user.home },
        stdio: ["ignore", out.fd, "pipe"],
      });
      if (!child.stderr) throw new Error("It has no standard error.");
      const [closed, err] = await Promise.all([once(child, "close"), text(child.stderr)]);
      return { code: closed[0] as number | null, err };
    } finally {
      await out.close();
    }
  };
  const open: Terminal["open"] = (run) => user.open({ run });
  return {
    get home() {
      return user.home;
    },
    get folder() {
      return user.folder;
    },
    get worktree() {
      return worktree;
    },
    start,
    run: (...args) => start(args).ended,
    runInto,
    open,
    answering: (answers) =>
      open(({ tool }) => {
        const answer = answers[tool.replace("batchControl_", "")];
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
      }),
  };
}

export const inputs = ({ calls }: FakeWindow): readonly unknown[] => calls.map(({ input }) => input);

/** A commit as the state tool tells of it. */
export const toldCommit = (status: string, more: object = {}): object => ({
  id: "op-1",
  kind: "commit",
  label: "Fix it",
  status,
  ...more,
});
