import { shown } from "./files.ts";
import type { Failure } from "./git-error.ts";
import { shortName } from "./refs.ts";

/** One ref's line of `git push --porcelain`. */
export interface PushLine {
  readonly flag: string;
  readonly source: string;
  readonly destination: string;
  readonly summary: string;
}

export interface PushReport {
  readonly lines: readonly PushLine[];
  readonly done: boolean;
}

export function parsePush(output: string): PushReport {
  const rows = output.split("\n");
  const lines = rows.flatMap((row): PushLine[] => {
    const [flag, refs, ...summary] = row.split("\t");
    if (flag?.length !== 1 || refs === undefined) return [];
    // Ref names hold no colon.
    const colon = refs.indexOf(":");
    return [
      { flag, source: refs.slice(0, colon), destination: refs.slice(colon + 1), summary: summary.join("\t") },
    ];
  });
  return { lines, done: rows.includes("Done") };
}

export const isDelivered = ({ flag }: PushLine): boolean => [" ", "+", "*", "=", "-"].includes(flag);

/** Object ids from a summary such as `old..new`; needs `core.abbrev=no`. */
export function oldValue({ summary }: PushLine): string | undefined {
  return /^([0-9a-f]{40,64})\.\.\.?[0-9a-f]{40,64}/.exec(summary)?.[1];
}

export function newValue({ summary }: PushLine): string | undefined {
  return /^[0-9a-f]{40,64}\.\.\.?([0-9a-f]{40,64})/.exec(summary)?.[1];
}

/** What a rejected line means, in words a person can act on. `remote` is what the server printed. */
export function rejection(line: PushLine, remote: string): Failure {
  const branch = shortName(line.destination);
  const why = /\((.+)\)\s*$/.exec(line.summary)?.[1] ?? line.summary;
  const told = remote === "" ? "" : `: ${remote}`;
  const detail = { rejected: line.summary, ...(remote === "" ? {} : { remoteOutput: remote }) };
  switch (why) {
    case "non-fast-forward":
    case "fetch first":
      return {
        reason: "non-fast-forward",
        error: `${branch} has commits on the remote that are not here (${why}); fetch and merge them first`,
        detail,
      };
    case "stale info":
      return {
        reason: "stale-lease",
        error: `${branch} is not what it was on the remote when this push was queued (stale info); fetch, look at what came in and queue it again`,
        detail,
      };
    case "already exists":
      return { reason: "already-exists", error: `${branch} exists on the remote with another value`, detail };
    case "atomic push failed":
    case "atomic push failure":
    case "atomic transaction failed":
      return {
        reason: "held-back",
        error: `${branch} was held back, because another branch of the atomic push was rejected`,
        detail,
      };
    default:
      if (/protected branch|GH006|not allowed to push/i.test(`${why} ${remote}`)) {
        return { reason: "protected", error: `the remote protects ${branch} (${why})${told}`, detail };
      }
      if (why.includes("hook declined"))
        return { reason: "hook-declined", error: `the remote refused ${branch} (${why})${told}`, detail };
      return { reason: "rejected", error: `the remote refused ${branch} (${why})${told}`, detail };
  }
}

/** The lines that the server printed. */
export const remoteMessage = (stderr: string): string =>
  [...stderr.matchAll(/^remote: ?(.*?)\s*$/gm)]
    .map(([, line]) => line ?? "")
    .filter((line) => line !== "")
    .join("\n")
    .slice(0, 4000);

/** The most refs that the host takes in one push, where it refused for that. */
export function limitTold(stderr: string): number | undefined {
  const told = /(?:can ?not|cannot|may not) update more than (\d+)/i.exec(stderr)?.[1];
  return told === undefined ? undefined : Number(told);
}

export type Trouble =
  | { readonly kind: "credentials"; readonly failure: Failure }
  | { readonly kind: "transient"; readonly failure: Failure }
  | { readonly kind: "refused"; readonly failure: Failure };

const credentials =
  /terminal prompts disabled|could not read (Username|Password)|Authentication failed|Permission denied \(|HTTP (Basic: Access denied|401|403)|returned error: (401|403)|Host key verification failed|invalid credentials|no matching host key|unable to read askpass/i;
const transient =
  /Could not resolve host|Failed to connect|Couldn't connect|Could not connect|Temporary failure in name resolution|Connection (refused|reset|timed out|closed)|Operation timed out|Network is unreachable|No route to host|early EOF|RPC failed|remote end hung up|returned error: (429|5\d\d)|TLS connection|SSL_ERROR|Empty reply/i;

/** One ref's submodule keeps the whole push back. */
export const SUBMODULE = "submodule-unpushed";
/** From `--recurse-submodules=check`: die_with_unpushed_submodules in git's transport.c. */
const unpushedSubmodules = (stderr: string): readonly string[] =>
  (
    /submodule paths contain changes that can\s+not be found on any remote:\n((?: {2}.+\n)+)/.exec(
      stderr,
    )?.[1] ?? ""
  )
    .split("\n")
    .flatMap((line) => (line === "" ? [] : [line.trim()]));

/** Why a push ended without a word on any ref. */
export function troubleOf(stderr: string, where: string): Trouble {
  const said = stderr.trim();
  const detail = { output: said.slice(0, 4000) };
  const last =
    said.split("\n").findLast((line) => /^(fatal|error|remote|ssh):/.test(line)) ??
    said.split("\n").at(-1) ??
    "";
  const submodules = unpushedSubmodules(said);
  if (submodules.length > 0) {
    const error = `commits of the submodule ${submodules.map(shown).join(", ")} are on no remote; push those first`;
    return { kind: "refused", failure: { reason: SUBMODULE, error, detail: { ...detail, submodules } } };
  }
  if (credentials.test(said)) {
    return {
      kind: "credentials",
      failure: { reason: "needs-credentials", error: `needs credentials for ${where}: ${last}`, detail },
    };
  }
  if (/does not appear to be a git repository|[Rr]epository '?.*'? ?not found|does not exist/.test(said)) {
    return {
      kind: "refused",
      failure: {
        reason: "remote-not-found",
        error: `${where} is not a repository that can be reached: ${last}`,
        detail,
      },
    };
  }
  if (transient.test(said)) {
    return {
      kind: "transient",
      failure: { reason: "network", error: `${where} could not be reached: ${last}`, detail },
    };
  }
  return {
    kind: "refused",
    failure: {
      reason: "push-failed",
      error: said === "" ? `git push to ${where} failed` : `git push to ${where} failed: ${last}`,
      detail,
    },
  };
}
