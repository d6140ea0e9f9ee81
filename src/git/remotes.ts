import { InputError } from "../core/errors.ts";
import { choices } from "./branch-names.ts";
import type { GitConfig } from "./config.ts";
import { shown } from "./files.ts";
import { GitError } from "./git-error.ts";
import type { Failure } from "./git-error.ts";
import { shortName } from "./refs.ts";
import { endError } from "./runner.ts";
import type { GitRunner } from "./runner.ts";

/** The remote for a branch: the one named, else pushRemote, then upstream, then the only one. */
export function remoteOf(config: GitConfig, branch: string, named: string | undefined): string {
  const remote = chosen(config, branch, named);
  if (config.flag(`remote.${remote}.mirror`, false)) throw new InputError("remote", mirrors(remote), MIRROR);
  return remote;
}

/** Git pushes nothing less than everything there. */
export const MIRROR = "mirror";
export const mirrors = (remote: string): string =>
  `${shown(remote)} is a mirror (remote.${remote}.mirror), to which git pushes everything or nothing; unset that, or name another remote`;

export const remoteGone = (remote: string): Failure => ({
  reason: "no-remote",
  error: `there is no remote ${shown(remote)} any more; it was renamed or removed since this was queued`,
});

function chosen(config: GitConfig, branch: string, named: string | undefined): string {
  const remotes = config.remotes();
  if (named !== undefined) {
    if (remotes.includes(named)) return named;
    throw new InputError(
      "remote",
      `there is no remote ${shown(withoutSecrets(named))}; ${choices(remotes)}`,
      "unknown-remote",
    );
  }
  const key = `branch.${shortName(branch)}`;
  const configured = [
    config.get(`${key}.pushremote`),
    config.get("remote.pushdefault"),
    config.get(`${key}.remote`),
  ];
  const found = configured.find((name) => name !== undefined && remotes.includes(name));
  if (found !== undefined) return found;
  const [only] = remotes;
  if (only !== undefined && remotes.length === 1) return only;
  const name = shortName(branch);
  const error =
    remotes.length === 0
      ? `${name} has no remote to go to; add one with git remote add`
      : `${name} could go to several remotes; name one; ${choices(remotes)}`;
  throw new InputError("remote", error, "no-remote");
}

/** Every address that a push to this remote goes to, `insteadOf` rules applied. */
export async function pushUrls(git: GitRunner, cwd: string, remote: string): Promise<readonly string[]> {
  const args = ["remote", "get-url", "--push", "--all", "--", remote];
  const end = await git.run(cwd, args);
  if (end.exitCode !== 0) {
    const { reason, error } = remoteGone(remote);
    throw end.stderr.includes("No such remote")
      ? new GitError(reason, error, end.stderr)
      : endError(args, end);
  }
  return end.stdout
    .toString("utf8")
    .split("\n")
    .filter((url) => url !== "");
}

/**
 * For messages and the journal: a text without the user names and passwords of the addresses in it. They end with the last
 * `@`: git itself tells the rest of a password that holds one. The text may be long and a remote's, so that nothing here may
 * try again from each of its characters.
 */
export const withoutSecrets = (text: string): string => text.replace(/:\/\/[^/\s]*@/g, "://");
