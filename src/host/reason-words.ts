import { holdReasons } from "./hold-reasons.ts";
import type { Translate } from "./l10n.ts";
import { toldMessage } from "./messages/messages.ts";
import { WordedError } from "./worded-error.ts";

/** What each stable word for a failure or a refusal means, in the reader's language. */
export function reasonTexts(t: Translate): Readonly<Record<string, string>> {
  return {
    ...holdReasons(t),
    "already-ended": t("It has ended already."),
    "already-exists": t("The remote has that branch already, with other content."),
    "already-started": t("It has started and cannot be changed any more."),
    "atomic-split": t("The push was all or none, and a part of it could not go."),
    "bad-lines": t("The file holds lines that are no requests."),
    "behind-link": t("A symbolic link lies on the path of a file."),
    "branch-changed": t("The worktree has another branch checked out than when this was queued."),
    "broken-off": t("The results could not be read to their end."),
    "built-upon": t("A later queued commit builds upon this one."),
    busy: t("The worktree or branch is in the middle of something else."),
    cancelled: t("It was cancelled."),
    changed: t("A file or branch was changed meanwhile."),
    "checked-out-elsewhere": t("The branch is checked out in another worktree."),
    "checked-out-twice": t("The branch is checked out in more than one worktree."),
    "commit-refused": t("A hook or git itself refused the commit."),
    conflict: t("It conflicts with what is there."),
    cut: t("The answer reached its limit and was cut off."),
    damaged: t("What is stored is damaged."),
    dependency: t("Something that this builds upon failed."),
    "detached-head": t("The worktree has no branch checked out."),
    "empty-message": t("The commit message is empty."),
    "empty-prompt": t("The prompt is empty."),
    expired: t("The provider did not get to it in time."),
    "file-binary": t("A file holds no text."),
    "file-changed": t("A file was changed while it was read."),
    "file-outside": t("A file lies outside the open folders."),
    "file-missing": t("A file is not there."),
    "file-too-large": t("A file is too large."),
    "file-unreadable": t("A file cannot be read."),
    flaky: t("The check failed for the whole and passed for each part."),
    folder: t("A folder was named in place of a file."),
    full: t("The disk is full."),
    "git-failed": t("Git failed."),
    "git-not-started": t("Git could not be started."),
    "held-back": t("It was held back because another part of the push failed."),
    "hook-declined": t("A hook of the remote declined it."),
    ignored: t("A file is ignored by git."),
    "in-other-repository": t("A file lies in another repository."),
    interrupted: t("It was interrupted."),
    "invalid-input": t("Something that was given is not accepted as it is."),
    "invalid-name": t("Git does not accept this name."),
    killed: t("Git was ended from outside."),
    locked: t("Another program holds the lock."),
    "max-tokens-too-large": t("The model does not answer at such length."),
    mirror: t("The remote is a mirror, to which no single branch can be pushed."),
    missing: t("A file is not there."),
    "missing-objects": t("The repository lacks objects that this needs."),
    "model-retired": t("The model is no longer offered."),
    moved: t("The branch has moved meanwhile."),
    "needs-credentials": t("The remote asks for credentials."),
    network: t("The remote could not be reached."),
    newer: t("It was written by a newer version."),
    "no-connection": t("The provider could not be reached."),
    "no-identity": t("Git does not know who commits: user.name or user.email is not set."),
    "no-remote": t("There is no remote to push to."),
    "no-result": t("It ended without a result."),
    "no-selection": t("Nothing is selected in the active editor."),
    "no-sqlite": t("The editor lacks the database that this needs."),
    "non-fast-forward": t("The branch on the remote has moved on."),
    "not-a-file": t("What was named is no file."),
    "not-a-worktree": t("The folder is no worktree of a git repository."),
    "not-checked-out": t("The branch is not checked out in its worktree."),
    "not-executing": t("It is not executing."),
    "not-fast-forward": t("The branch cannot be moved forward to it."),
    "not-final": t("It has not ended yet."),
    "not-found": t("It is not there any more."),
    "not-requests": t("It holds no LLM requests."),
    "not-visible": t("The provider does not know the batch."),
    "not-sent": t("It was not sent."),
    "not-jsonl": t("The file is not one request per line."),
    "nothing-staged": t("Nothing is staged."),
    "nothing-to-commit": t("There is nothing to commit."),
    "old-git": t("Git is too old for this."),
    order: t("The order matters here and stays."),
    overloaded: t("The provider is overloaded."),
    "parameter-refused": t("The model does not take one of the settings."),
    "pin-lost": t("The content that was kept for this commit is gone."),
    protected: t("The branch is protected."),
    "push-failed": t("The push failed."),
    "push-refused": t("The pre-push hook refused it."),
    "rate-limit": t("The provider takes no more requests for the moment."),
    "read-only": t("The folder cannot be written to."),
    "red-target": t("The check failed before anything was merged."),
    refused: t("The model declined to answer."),
    rejected: t("The remote rejected it."),
    "remote-not-found": t("The remote repository was not found."),
    "repository-gone": t("The repository is not there any more."),
    "request-too-large": t("The request is too large."),
    "same-branch": t("A branch cannot be merged into itself."),
    "server-error": t("The provider had an error of its own."),
    sparse: t("A file is left out of this worktree by its sparse checkout."),
    special: t("What was named is neither a file nor a link."),
    "stale-lease": t("The branch on the remote is not what it was taken for."),
    stopped: t("It was stopped."),
    submodule: t("A submodule cannot be committed as it is."),
    succeeded: t("It has succeeded already."),
    "taken-over": t("Another window has taken over."),
    timeout: t("It took too long."),
    "too-large": t("It is too large."),
    "too-much-output": t("Git printed more than can be read."),
    unavailable: t("It is not available."),
    unborn: t("The branch has no commits yet."),
    "unexpected-error": t("An error that nobody expected."),
    unfinished: t("The model stopped before the answer was finished."),
    unknown: t("It is not known what happened."),
    "unknown-branch": t("There is no such branch."),
    "unknown-remote": t("There is no such remote."),
    "unknown-tag": t("There is no such tag."),
    "unknown-variable": t("The prompt uses a variable that is not known."),
    unmerged: t("A file has conflicts."),
    unrelated: t("The branches have no common history."),
    "unsafe-repository": t("Git does not trust the owner of the repository."),
    "verify-failed": t("The check failed."),
    "verify-prepare-failed": t("The check could not be prepared."),
    "worktree-dirty": t("Changes in the worktree are in the way."),
    "worktree-unreachable": t("The worktree of the branch is not there at the moment."),
    "wrong-lane": t("It belongs to another lane."),
  };
}

/** The texts as they are written here. */
const english = reasonTexts((message) => message);

/**
 * A message of another room in the reader's language. One that is not known there, as it is git's or a server's own, is
 * quoted after what its reason means.
 */
export function failureText(message: string, reason: string | undefined, t: Translate): string {
  const told = toldMessage(message, t);
  if (told !== undefined) return told;
  const said = reason === undefined ? undefined : translatedReasons(t)[reason];
  return said === undefined ? message : t("{0} ({1})", said, message);
}

/** Why a batch failed or waits: some say the reason's word in front. */
export function batchErrorText(error: string, t: Translate): string {
  const [, reason, message = ""] = /^([a-z-]+): ([^]*)$/.exec(error) ?? [];
  return reason !== undefined && Object.hasOwn(english, reason)
    ? failureText(message, reason, t)
    : failureText(error, undefined, t);
}

/** By translation, which stays the same as long as a window lives; every row of the tree asks. */
const translated = new WeakMap<Translate, Readonly<Record<string, string>>>();

/** Only those that differ from English, in which the messages are. */
function translatedReasons(t: Translate): Readonly<Record<string, string>> {
  const known =
    translated.get(t) ??
    Object.fromEntries(Object.entries(reasonTexts(t)).filter(([reason, text]) => text !== english[reason]));
  translated.set(t, known);
  return known;
}

/** What an error says to a person. */
export function errorText(error: unknown, t: Translate): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof WordedError) return error.message;
  const reason = "reason" in error && typeof error.reason === "string" ? error.reason : undefined;
  return failureText(error.message, reason, t);
}
