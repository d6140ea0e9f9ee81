import { createHash } from "node:crypto";
import type { AcceptContext, Acceptor, Draft } from "../core/acceptor.ts";
import { InputError } from "../core/errors.ts";
import type { NewOperation, StoredOperation } from "../core/operation.ts";
import { commitInput, mergeInput, parseInput, pushInput } from "../core/schema/inputs.ts";
import type { GitInput } from "../core/schema/inputs.ts";
import { acceptCommits } from "./accept-commit.ts";
import { readScene } from "./accept-context.ts";
import type { AcceptorDeps } from "./accept-context.ts";
import {
  acceptMerge,
  acceptPush,
  protectedPayload,
  protectedTarget,
  refuseProtectedAgain,
} from "./accept-push.ts";
import type { ProtectedTarget } from "./accept-push.ts";
import type { CommitRequest } from "./changes.ts";
import { Coalescer } from "./coalescer.ts";
import { commitName } from "./dependencies.ts";
import { placeOf } from "./files.ts";
import { refuseMove } from "./may-move.ts";
import { parsePayload } from "./payload.ts";
import type { CommitPayload, GitPayload, MergePayload } from "./payload.ts";
import { plainText } from "./plain-text.ts";
import { dropPins, OpenCommits, writePins } from "./pins.ts";
import { shortName } from "./refs.ts";
import { laneOf } from "./repository.ts";

/** Turns git inputs into operations: checked against the repository as it is now, content pinned. */
export class GitAcceptor implements Acceptor<GitInput> {
  readonly #deps: AcceptorDeps;
  readonly #open: OpenCommits;
  readonly #commits: Coalescer<CommitRequest, CommitPayload>;

  constructor(deps: AcceptorDeps) {
    this.#deps = deps;
    this.#open = new OpenCommits(deps.operation, () => deps.clock.now());
    this.#commits = new Coalescer(async (place, requests) =>
      acceptCommits(await readScene(deps, this.#open, requests[0]?.input.worktree ?? place), requests),
    );
  }

  async accept(input: GitInput, context: AcceptContext): Promise<Draft> {
    return draftOf(await this.#payload(input, context), input.idempotencyKey);
  }

  /** What a person has to be asked about before this is accepted. Rejects with `InputError` as `accept` would. */
  async protectedTarget(input: GitInput): Promise<ProtectedTarget | undefined> {
    const { kind = kindOf(input), ...rest } = input;
    if (kind === "commit") return undefined;
    const checked = kind === "merge" ? parseInput(mergeInput, rest) : parseInput(pushInput, rest);
    return protectedTarget(await readScene(this.#deps, this.#open, checked.worktree), checked);
  }

  /** As `protectedTarget`, for what `again` would make. */
  async protectedAgain(
    operation: StoredOperation,
    patch?: Readonly<Record<string, unknown>>,
  ): Promise<ProtectedTarget | undefined> {
    const payload = parsePayload(operation.payload);
    if (patch === undefined) return protectedPayload(this.#deps, payload);
    return this.protectedTarget({ ...payload.input, ...patch, kind: payload.kind } as GitInput);
  }

  async again(
    operation: StoredOperation,
    context: AcceptContext,
    patch?: Readonly<Record<string, unknown>>,
  ): Promise<Draft> {
    const payload = parsePayload(operation.payload);
    if (patch === undefined) {
      refuseProtectedAgain(this.#deps, payload, context);
      return draftOf(payload.kind === "commit" ? await this.#repin(payload, context.id) : payload);
    }
    const input = { ...payload.input, ...patch };
    if (payload.kind === "commit" && !changesContent(patch)) {
      const checked = parseInput(commitInput, withoutKind(input));
      const { message, allowEmpty = false, signoff = false } = checked;
      return draftOf(await this.#repin({ ...payload, input, message, allowEmpty, signoff }, context.id));
    }
    if (payload.kind === "commit") await this.#refuseWhereBuiltUpon(operation.id, payload);
    const changed = await this.#payload({ ...input, kind: payload.kind } as GitInput, context, operation.id);
    return draftOf(keepLease(payload, changed));
  }

  inputOf(operation: StoredOperation): Readonly<Record<string, unknown>> {
    return parsePayload(operation.payload).input;
  }

  /** Two commits of one path on one branch keep their order. */
  mayMove(operation: StoredOperation, over: readonly StoredOperation[]): string | undefined {
    return refuseMove(operation, over);
  }

  async discard(operations: readonly Pick<NewOperation, "id" | "payload">[]): Promise<void> {
    const byRepository = new Map<string, string[]>();
    for (const { id, payload } of operations) {
      const parsed = parsePayload(payload);
      if (parsed.kind !== "commit") continue;
      byRepository.set(parsed.commonDir, [...(byRepository.get(parsed.commonDir) ?? []), id]);
    }
    // A pin that stays is only unused space; the next batch of the repository clears it.
    await Promise.allSettled(
      [...byRepository].map(([commonDir, ids]) => dropPins(this.#deps.git, commonDir, ids)),
    );
  }

  async #payload(input: GitInput, context: AcceptContext, instead?: string): Promise<GitPayload> {
    const { kind = kindOf(input), ...rest } = input;
    switch (kind) {
      case "commit": {
        const checked = parseInput(commitInput, rest);
        return this.#commits.ask(placeOf(checked.worktree), {
          id: context.id,
          input: checked,
          ...(instead === undefined ? {} : { instead }),
        });
      }
      case "push": {
        const checked = parseInput(pushInput, rest);
        return acceptPush(await readScene(this.#deps, this.#open, checked.worktree), checked, context);
      }
      case "merge": {
        const checked = parseInput(mergeInput, rest);
        return acceptMerge(await readScene(this.#deps, this.#open, checked.worktree), checked, context);
      }
    }
  }

  /** The same content under another operation; what it was made from stays, so that a retry reverts nobody's work. */
  async #repin(payload: CommitPayload, id: string): Promise<CommitPayload> {
    const entries = payload.changes.flatMap(({ now }) => now ?? []);
    try {
      const [tree = ""] = await writePins(this.#deps.git, payload.commonDir, [{ operation: id, entries }]);
      this.#open.accepted(id, tree, payload);
    } catch (error) {
      throw new InputError(
        "files",
        `the content pinned for this commit is gone; queue it again (${String(error)})`,
        "pin-lost",
      );
    }
    return payload;
  }

  async #refuseWhereBuiltUpon(id: string, { commonDir, branch }: CommitPayload): Promise<void> {
    const builder = this.#open
      .all()
      .find(
        ({ payload }) =>
          payload.commonDir === commonDir &&
          payload.branch === branch &&
          payload.changes.some(({ after }) => after === id),
      );
    if (builder && (await this.#open.isOpen(builder.id))) {
      throw new InputError(
        "files",
        `${commitName(labelOf(builder.payload))}, which is queued behind it, changes the same file; cancel or edit that one first`,
        "built-upon",
      );
    }
  }
}

/** Whoever changes something else about a forced push has not looked at what came in since it was queued. */
function keepLease(before: GitPayload, after: GitPayload): GitPayload {
  if (before.kind !== "push" || after.kind !== "push") return after;
  if (before.lease === undefined || after.lease === undefined) return after;
  if (before.remote !== after.remote || before.branch !== after.branch) return after;
  const { pushed: _, ...rest } = after;
  return { ...rest, lease: before.lease, ...(before.pushed === undefined ? {} : { pushed: before.pushed }) };
}

const changesContent = (patch: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(patch).some((field) => !["message", "allowEmpty", "signoff"].includes(field));

function withoutKind(input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { kind: _, ...rest } = input;
  return rest;
}

const kindOf = (input: GitInput): "commit" | "push" | "merge" =>
  "source" in input || "target" in input ? "merge" : "message" in input ? "commit" : "push";

function draftOf(payload: GitPayload, idempotencyKey?: string): Draft {
  const lane = laneOf(payload.commonDir);
  return {
    kind: payload.kind,
    group: lane,
    lane,
    label: labelOf(payload),
    payload,
    detail: detailOf(payload),
    fingerprint: createHash("sha256")
      .update(JSON.stringify(meaningOf(payload)))
      .digest("hex"),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  };
}

const MAX_LABEL = 120;
function labelOf(payload: GitPayload): string {
  switch (payload.kind) {
    case "commit":
      return (plainText(payload.message).trim().split("\n")[0] ?? "")
        .replaceAll("\t", " ")
        .slice(0, MAX_LABEL);
    case "push":
      return `${shortName(payload.branch)} → ${payload.remote}`;
    case "merge":
      return [shortName(payload.source), shortName(payload.target), ...remoteNames(payload)].join(" → ");
  }
}

/** Where a merge goes afterwards. */
const remoteNames = ({ push }: MergePayload): readonly string[] => (push === undefined ? [] : [push.remote]);

const MAX_LISTED_FILES = 20;
function detailOf(payload: GitPayload): unknown {
  const { worktree } = payload;
  switch (payload.kind) {
    case "commit": {
      const files = payload.changes.slice(0, MAX_LISTED_FILES).map(({ path }) => path);
      return { worktree, branch: shortName(payload.branch), files, fileCount: payload.changes.length };
    }
    case "push":
      return { worktree, branch: shortName(payload.branch), remote: payload.remote };
    case "merge":
      return {
        worktree,
        source: shortName(payload.source),
        target: shortName(payload.target),
        mode: payload.mode,
      };
  }
}

/** What makes two inputs the same under one idempotency key: the request and its content, not the state around it. */
function meaningOf(payload: GitPayload): unknown {
  const { kind, commonDir, worktree, input } = payload;
  if (payload.kind !== "commit") return { kind, commonDir, worktree, input };
  return { kind, commonDir, worktree, branch: payload.branch, input, content: payload.content };
}
