import { realpathSync } from "node:fs";
import path from "node:path";
import { define, noMore, oneName } from "./command.ts";
import { queueGit, queueHelp, queueOptions } from "./queue.ts";
import type { Session } from "./session.ts";
import { UsageError } from "./usage-error.ts";

/** As git does it: each `-m` is a paragraph. */
const messageOf = (paragraphs: readonly string[] | undefined): string | undefined => paragraphs?.join("\n\n");

/** Names that were given from the directory, seen from the worktree; what lies outside of it is for the window to refuse. */
function filesIn({ directory }: Session, worktree: string, names: readonly string[]): readonly string[] {
  return names.map((name) => {
    const file = path.resolve(directory, name);
    const relative = path.relative(worktree, file);
    if (isOutside(relative)) return reallyIn(worktree, file) ?? file;
    return path.isAbsolute(name) ? name : relative || ".";
  });
}

const isOutside = (relative: string): boolean =>
  relative === ".." || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative);

/** The path from the worktree where a link leads into it. The last part stays, as it may be a link that is committed. */
function reallyIn(worktree: string, file: string): string | undefined {
  try {
    const real = path.join(realpathSync.native(path.dirname(file)), path.basename(file));
    const relative = path.relative(worktree, real);
    return isOutside(relative) ? undefined : relative || ".";
  } catch {
    // Its folder is not there, as where all of it was deleted.
    return undefined;
  }
}

export const commit = define({
  usage: "commit -m <message> [<file>...]",
  about: `Queues a commit of these files as they are now, or of what is staged where none is named.

  -m, --message   the message; each further one is a paragraph
  --branch <name> instead of the branch that is checked out
  --allow-empty   also without a change
  --signoff       with a line that signs it off
${queueHelp}
Names that begin with - stand behind --.`,
  options: {
    message: { type: "string", short: "m", multiple: true },
    branch: { type: "string" },
    "allow-empty": { type: "boolean" },
    signoff: { type: "boolean" },
    ...queueOptions,
  },
  read: (values, names) => {
    const message = messageOf(values.message);
    if (message === undefined) throw new UsageError("Give a message with -m.");
    return (session) => {
      const worktree = session.demandWorktree();
      const input = {
        kind: "commit",
        worktree,
        message,
        files: names.length > 0 ? filesIn(session, worktree, names) : undefined,
        branch: values.branch,
        allowEmpty: values["allow-empty"],
        signoff: values.signoff,
        idempotencyKey: values.key,
      };
      return queueGit(session, input, values.wait);
    };
  },
});

export const push = define({
  usage: "push [<branch>]",
  about: `Queues a push of a branch, or of the one that is checked out.

  --remote <name>       instead of the one that git would take
  --force-with-lease    overwrite, unless the remote has moved since
  -u, --set-upstream    and remember the remote for the branch
  --tag <name>          push this tag, too; may be repeated
${queueHelp}`,
  options: {
    remote: { type: "string" },
    "force-with-lease": { type: "boolean" },
    "set-upstream": { type: "boolean", short: "u" },
    tag: { type: "string", multiple: true },
    ...queueOptions,
  },
  read: (values, [branch, ...rest]) => {
    noMore(rest);
    return (session) => {
      const input = {
        kind: "push",
        worktree: session.demandWorktree(),
        branch,
        remote: values.remote,
        force: values["force-with-lease"] ? "with-lease" : undefined,
        setUpstream: values["set-upstream"],
        tags: values.tag,
        idempotencyKey: values.key,
      };
      return queueGit(session, input, values.wait);
    };
  },
});

export const merge = define({
  usage: "merge <source> --into <target>",
  about: `Queues a merge of one branch into another, without touching a working tree.

  --into <target> the branch that gets it
  -m, --message   instead of git's own message
  --mode <mode>   merge, ff-only or squash
  --push          and push the target
${queueHelp}`,
  options: {
    into: { type: "string" },
    message: { type: "string", short: "m", multiple: true },
    mode: { type: "string" },
    push: { type: "boolean" },
    ...queueOptions,
  },
  read: (values, names) => {
    const source = oneName(names, "the branch to merge");
    const { into: target } = values;
    if (target === undefined) throw new UsageError("Say with --into which branch gets it.");
    return (session) => {
      const input = {
        kind: "merge",
        worktree: session.demandWorktree(),
        source,
        target,
        message: messageOf(values.message),
        mode: values.mode,
        push: values.push,
        idempotencyKey: values.key,
      };
      return queueGit(session, input, values.wait);
    };
  },
});
