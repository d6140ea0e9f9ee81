import { InputError } from "../core/errors.ts";
import type { AcceptContext } from "../core/acceptor.ts";
import type { MergeInput, PushInput } from "../core/schema/inputs.ts";
import type { Scene } from "./accept-context.ts";
import { branchOf, checkName, choices, existingBranch, heldBy } from "./branch-names.ts";
import { shown } from "./files.ts";
import type { GitPayload, MergePayload, PushPayload } from "./payload.ts";
import { pinnedId, pinPrefix } from "./pins.ts";
import { pushedNotes } from "./pushed-notes.ts";
import { headRef, shortName } from "./refs.ts";
import { pushUrls, remoteOf } from "./remotes.ts";
import { protectingGlob } from "./settings.ts";

export async function acceptPush(
  scene: Scene,
  input: PushInput,
  context: AcceptContext,
): Promise<PushPayload> {
  const { worktree, refs, config, repository } = scene;
  const branch = branchOf(worktree, input.branch, refs);
  if (!refs.has(branch) && !(await hasQueuedCommit(scene, branch))) {
    throw new InputError("branch", `${shortName(branch)} has no commits yet; queue a commit first`, "unborn");
  }
  refuseProtected(scene, "branch", branch, context);
  const remote = remoteOf(config, branch, input.remote);
  const { idempotencyKey: _, ...kept } = input;
  const payload: PushPayload = {
    kind: "push",
    worktree: repository.topLevel,
    commonDir: repository.commonDir,
    input: { ...kept },
    remote,
    branch,
    setUpstream: input.setUpstream ?? false,
    tags: (input.tags ?? []).map((tag, index) => existingTag(`tags.${index}`, tag, refs)),
  };
  if (input.force === undefined) return payload;
  const lease = refs.get(`refs/remotes/${remote}/${shortName(branch)}`) ?? "";
  const pushed = await pushedValue(scene, remote, branch);
  return { ...payload, lease, ...(pushed === undefined ? {} : { pushed }) };
}

export function acceptMerge(scene: Scene, input: MergeInput, context: AcceptContext): MergePayload {
  const { refs, worktrees, config, repository } = scene;
  const source = sourceRef(input.source, refs);
  const target = existingBranch("target", input.target, refs);
  if (source === target)
    throw new InputError("source", `is the target itself (${shortName(target)})`, "same-branch");
  const held = heldBy(target, worktrees);
  if (held !== undefined) throw new InputError("target", held, "busy");
  refuseProtected(scene, "target", target, context);
  const { idempotencyKey: _, ...kept } = input;
  return {
    kind: "merge",
    worktree: repository.topLevel,
    commonDir: repository.commonDir,
    input: { ...kept },
    source,
    target,
    mode: input.mode ?? "merge",
    ...(input.message === undefined ? {} : { message: input.message }),
    ...(input.push === true ? { push: { remote: remoteOf(config, target, undefined) } } : {}),
  };
}

/** From code nobody can be asked; a person is asked by the host before the input comes here. */
function refuseProtected(scene: Scene, field: string, branch: string, { interactive }: AcceptContext): void {
  const found = protectionOf(scene.deps, scene.repository.topLevel, branch);
  if (!interactive && found) throw refusal(field, found);
}

/** As for a new one; what is repeated unchanged does not come past the checks of an input. */
export function refuseProtectedAgain(
  deps: Scene["deps"],
  payload: GitPayload,
  { interactive }: AcceptContext,
): void {
  const found = protectedPayload(deps, payload);
  if (!interactive && found) throw refusal(payload.kind === "merge" ? "target" : "branch", found);
}

const refusal = (field: string, target: ProtectedTarget): InputError =>
  new InputError(field, protectedText(target), "protected");

export const protectedText = ({ branch, glob }: ProtectedTarget): string =>
  `${branch} is protected by ${JSON.stringify(glob)} in the setting batchControl.git.protectedBranches`;

function protectionOf(
  deps: Pick<Scene["deps"], "settings">,
  worktree: string,
  branch: string,
): ProtectedTarget | undefined {
  const glob = protectingGlob(deps.settings(worktree).protectedBranches, shortName(branch));
  return glob === undefined ? undefined : { branch: shortName(branch), glob };
}

/** The protected branch that this input would push or merge into, and the glob that protects it. */
export function protectedTarget(scene: Scene, input: PushInput | MergeInput): ProtectedTarget | undefined {
  const { worktree, refs } = scene;
  const branch =
    "target" in input ? existingBranch("target", input.target, refs) : branchOf(worktree, input.branch, refs);
  return protectionOf(scene.deps, scene.repository.topLevel, branch);
}

/** The same for what was accepted before: by the branch that was meant then, wherever the worktree is now. */
export function protectedPayload(
  deps: Pick<Scene["deps"], "settings">,
  payload: GitPayload,
): ProtectedTarget | undefined {
  if (payload.kind === "commit") return undefined;
  return protectionOf(deps, payload.worktree, payload.kind === "merge" ? payload.target : payload.branch);
}

export interface ProtectedTarget {
  readonly branch: string;
  readonly glob: string;
}

/** A local branch, or a remote-tracking one such as `origin/main`. */
function sourceRef(name: string, refs: ReadonlyMap<string, string>): string {
  checkName("source", name);
  const remote = name.startsWith("refs/remotes/") ? name : `refs/remotes/${name}`;
  return !refs.has(headRef(name)) && refs.has(remote) ? remote : existingBranch("source", name, refs);
}

function existingTag(field: string, name: string, refs: ReadonlyMap<string, string>): string {
  checkName(field, name);
  const ref = name.startsWith("refs/tags/") ? name : `refs/tags/${name}`;
  if (refs.has(ref)) return ref;
  const tags = [...refs.keys()].filter((key) => key.startsWith("refs/tags/")).map(shortName);
  throw new InputError(field, `there is no tag ${shown(name)}; ${choices(tags)}`, "unknown-tag");
}

async function hasQueuedCommit(scene: Scene, branch: string): Promise<boolean> {
  const pins = new Map<string, string>();
  for (const [ref, oid] of scene.refs) if (ref.startsWith(`${pinPrefix}/`)) pins.set(pinnedId(ref), oid);
  for (const { id, payload } of await scene.open.list(pins)) {
    if (payload.branch === branch && (await scene.open.isOpen(id))) return true;
  }
  return false;
}

async function pushedValue(scene: Scene, remote: string, branch: string): Promise<string | undefined> {
  const { git } = scene.deps;
  const cwd = scene.repository.topLevel;
  const [url] = await pushUrls(git, cwd, remote);
  if (url === undefined) return undefined;
  return (await pushedNotes(scene.deps.recall, url)).get(branch);
}
