import { homedir } from "node:os";
import { join } from "node:path";
import { readConfig } from "./config.ts";
import type { GitConfig } from "./config.ts";
import type { Run } from "./run.ts";

const ASK_TIMEOUT_MS = 20_000;

/** Credentials as git has them; ssh asks nobody unless the user has set up an ssh of their own. */
export async function remoteEnvironment(
  run: Run,
  config: GitConfig | undefined,
): Promise<Record<string, string>> {
  const ownSsh = run.git.sshConfigured || config?.get("core.sshcommand") !== undefined;
  return {
    ...(ownSsh ? {} : { GIT_SSH_COMMAND: "ssh -o BatchMode=yes" }),
    ...(await run.deps.environment(ownAskpass(run, config))),
  };
}

/** The program that git would run for credentials, were it left alone (prompt.c of git). */
function ownAskpass({ deps }: Run, config: GitConfig | undefined): string | undefined {
  const { GIT_ASKPASS: named, VSCODE_GIT_ASKPASS_MAIN: editors } = deps.processEnvironment;
  // The editor's own, inherited from its terminal, asks in whatever window it belongs to.
  if (named !== undefined && named !== "" && editors === undefined) return named;
  const configured = config?.get("core.askpass");
  if (configured === undefined || configured === "") return undefined;
  return configured.startsWith("~/") ? join(homedir(), configured.slice(2)) : configured;
}

/** What a remote has at these full names now. Goes on when the batch is stopped: it finds out what happened. */
export async function remoteRefs(
  run: Run,
  cwd: string,
  address: string,
  refs: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const env = await remoteEnvironment(run, await readConfig(run.git, cwd));
  const args = ["-c", "protocol.ext.allow=never", "ls-remote", "--refs", "--", address, ...refs];
  const output = await run.git.must(cwd, args, { env, timeoutMs: ASK_TIMEOUT_MS });
  const found = new Map<string, string>();
  for (const line of output.toString("utf8").split("\n")) {
    const [oid, ref] = line.split("\t");
    if (oid !== undefined && ref !== undefined) found.set(ref, oid);
  }
  return found;
}
