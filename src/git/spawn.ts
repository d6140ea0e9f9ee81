import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { CappedOutput } from "./capped-output.ts";
import type { Keep } from "./capped-output.ts";

export interface ProcessRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input?: Buffer | string | AsyncIterable<Buffer>;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** Bytes kept of each stream; the rest is read and dropped. */
  readonly maxOutput?: number;
  /** Which bytes these are: the first, unless told otherwise. */
  readonly keep?: Keep;
  /** Between SIGINT, SIGTERM and SIGKILL. */
  readonly graceMs?: number;
  readonly onStart?: (pid: number) => void;
  readonly onOutput?: (chunk: Buffer, from: "stdout" | "stderr") => void;
}

export interface ProcessEnd {
  /** `null` when a signal ended it: never a success. */
  readonly exitCode: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly stopped?: "timeout" | "abort";
  readonly truncated: boolean;
}

const MAX_OUTPUT = 256 * 1024 * 1024;
/** A background child may hold the pipes open after its parent has ended; nobody waits for it longer. */
const DRAIN_MS = 500;

/**
 * Runs one process in its own process group and answers once the whole group is gone, so that neither a hook nor its
 * children outlive it. Rejects only where it cannot be started.
 */
export function runProcess(request: ProcessRequest): Promise<ProcessEnd> {
  return new Promise((resolve, reject) => {
    if (request.signal?.aborted) {
      resolve({ exitCode: null, stdout: Buffer.alloc(0), stderr: "", stopped: "abort", truncated: false });
      return;
    }
    const child = spawn(request.command, [...request.args], {
      cwd: request.cwd,
      env: request.env,
      detached: process.platform !== "win32",
      stdio: [request.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      windowsHide: true,
    });
    const cap = request.maxOutput ?? MAX_OUTPUT;
    const stdout = new CappedOutput(cap, request.keep);
    const stderr = new CappedOutput(cap, request.keep);
    let stopped: ProcessEnd["stopped"];
    let killers: NodeJS.Timeout[] = [];
    const stop = (why: NonNullable<ProcessEnd["stopped"]>): void => {
      if (stopped !== undefined) return;
      stopped = why;
      killers = killGroup(child, request.graceMs ?? 2000);
    };
    const onAbort = (): void => stop("abort");
    const deadline =
      request.timeoutMs === undefined ? undefined : setTimeout(() => stop("timeout"), request.timeoutMs);
    request.signal?.addEventListener("abort", onAbort, { once: true });
    const settle = (): void => {
      clearTimeout(deadline);
      killers.forEach((timer) => clearTimeout(timer));
      request.signal?.removeEventListener("abort", onAbort);
    };

    child.once("error", (error) => {
      settle();
      reject(error);
    });
    child.stdout?.on("data", (chunk: Buffer) => {
      stdout.add(chunk);
      request.onOutput?.(chunk, "stdout");
    });
    child.stderr?.on("data", (chunk: Buffer) => {
      stderr.add(chunk);
      request.onOutput?.(chunk, "stderr");
    });
    child.once("exit", () => {
      setTimeout(() => {
        signalGroup(child, "SIGKILL");
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, DRAIN_MS).unref();
    });
    child.once("close", (exitCode) => {
      settle();
      signalGroup(child, "SIGKILL");
      const truncated = stdout.truncated || stderr.truncated;
      const common = { exitCode, stdout: stdout.bytes(), stderr: stderr.bytes().toString("utf8"), truncated };
      resolve(stopped === undefined ? common : { ...common, stopped });
    });
    if (child.pid !== undefined) request.onStart?.(child.pid);
    if (request.input !== undefined) void feed(child, request.input);
  });
}

async function feed(child: ChildProcess, input: NonNullable<ProcessRequest["input"]>): Promise<void> {
  const stdin = child.stdin;
  if (!stdin) return;
  // A process that ends early closes the pipe; its exit code tells, EPIPE does not matter.
  stdin.on("error", () => undefined);
  if (typeof input === "string" || Buffer.isBuffer(input)) {
    stdin.end(input);
    return;
  }
  for await (const chunk of input) {
    if (stdin.destroyed) return;
    if (!stdin.write(chunk))
      await new Promise<void>((resolve) => stdin.once("drain", resolve).once("close", resolve));
  }
  stdin.end();
}

function killGroup(child: ChildProcess, graceMs: number): NodeJS.Timeout[] {
  signalGroup(child, "SIGINT");
  return [
    setTimeout(() => signalGroup(child, "SIGTERM"), graceMs),
    setTimeout(() => signalGroup(child, "SIGKILL"), 2 * graceMs),
  ];
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  if (process.platform === "win32") {
    if (child.exitCode === null)
      spawn("taskkill", ["/pid", String(child.pid), "/T", "/F"], { windowsHide: true });
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group is gone already.
  }
}
