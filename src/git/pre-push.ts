import type { Failure } from "./git-error.ts";
import { plainText } from "./plain-text.ts";
import type { PushRef } from "./plan-pushes.ts";
import type { Trouble } from "./push-output.ts";
import { shortName } from "./refs.ts";
import type { ProcessEnd } from "./spawn.ts";

const SHOWN_LINES = 5;

/**
 * Whether a push that said nothing about any ref was refused here, before anything was sent: git ends with 1 then, and with
 * 128 where it cannot talk to the remote. A hook may speak of a network of its own.
 */
export const refusedHere = ({ exitCode, stderr }: ProcessEnd, { kind }: Trouble): boolean =>
  exitCode === 1 && !(kind === "transient" && /^fatal: /m.test(stderr));

/** What a pre-push hook refused, in its own words. `undefined`: it was git, which did not find what to push. */
export function hookRefusal({ stdout, stderr }: ProcessEnd, refs: readonly PushRef[]): Failure | undefined {
  if (/^error: src refspec /m.test(stderr)) return undefined;
  // Git hands its own standard output on to this hook.
  const said = `${plainText(stdout.toString("utf8"))}\n${stderr}`
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "" && !line.startsWith("error: failed to push some refs to "));
  const [only] = refs;
  const what = only && refs.length === 1 ? shortName(only.ref) : "the atomic push";
  const told = said.length === 0 ? "" : `: ${said.slice(-SHOWN_LINES).join("\n")}`;
  return {
    reason: "push-refused",
    error: `the pre-push hook refused ${what}${told}`,
    detail: { output: said.join("\n").slice(0, 4000) },
  };
}
