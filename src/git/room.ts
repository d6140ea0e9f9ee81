import type { Acceptor } from "../core/acceptor.ts";
import type { Executor } from "../core/executor.ts";
import type { StoredOperation } from "../core/operation.ts";
import type { Clock } from "../core/ports.ts";
import type { Result } from "../core/result.ts";
import type { GitInput } from "../core/schema/inputs.ts";
import type { ProtectedTarget } from "./accept-push.ts";
import { GitAcceptor } from "./acceptor.ts";
import { GitExecutor } from "./executor.ts";
import { fileChanges, fileContent } from "./file-changes.ts";
import type { FileChange, FileContent, FileVersion } from "./file-changes.ts";
import { previewGit } from "./preview.ts";
import type { GitPreviewData } from "./preview.ts";
import { commonDirOf, laneOf, resolveRepository } from "./repository.ts";
import type { Processes } from "./run.ts";
import { ProcessGitRunner } from "./runner.ts";
import type { GitRunner } from "./runner.ts";
import type { GitSettings } from "./settings.ts";
import { undoBatch } from "./undo.ts";
import type { UndoReport } from "./undo.ts";

export interface GitRoomDeps {
  /** The git binary, asked for each process. */
  readonly gitPath: () => string;
  /** The environment to clean and pass on to git. */
  readonly processEnvironment: Readonly<NodeJS.ProcessEnv>;
  readonly clock: Clock;
  readonly processes: Processes;
  /** The settings for one worktree, as they are now. */
  readonly settings: (worktree: string) => GitSettings;
  /** Extra environment for what talks to a remote: how git gets credentials. `own`: the user's own askpass program. */
  readonly environment: (own: string | undefined) => Promise<Readonly<Record<string, string>>>;
  /** The journal's `operation`, `recall` and `remember`. */
  readonly operation: (id: string) => Promise<StoredOperation | undefined>;
  readonly recall: (key: string) => Promise<string | undefined>;
  readonly remember: (key: string, value: string | undefined) => Promise<unknown>;
}

/** Everything the git side offers to whoever builds the product. */
export interface GitRoom {
  readonly git: GitRunner;
  readonly acceptor: Acceptor<GitInput>;
  readonly executor: Executor;
  /** The lane of the repository that a folder lies in; `undefined` where it lies in none. */
  laneAt(folder: string): Promise<string | undefined>;
  /** The protected branch that a push or merge is about: from a person, ask before it is accepted. */
  protectedTarget(input: GitInput): Promise<ProtectedTarget | undefined>;
  /** The same for an operation that is retried, or edited with `patch`. */
  protectedAgain(
    operation: StoredOperation,
    patch?: Readonly<Record<string, unknown>>,
  ): Promise<ProtectedTarget | undefined>;
  /** One entry per repository, in order of its first operation. */
  preview(queued: readonly StoredOperation[]): Promise<readonly GitPreviewData[]>;
  /** What an operation changes, or changed where it has a result. */
  changes(operation: StoredOperation, result: Result | undefined): Promise<readonly FileChange[]>;
  /** A version of a file of the group's repository. */
  content(group: string, version: FileVersion): Promise<FileContent>;
  readonly undo: (batch: { readonly id: string; readonly group: string }) => Promise<UndoReport>;
}

export function createGitRoom(deps: GitRoomDeps): GitRoom {
  const git = new ProcessGitRunner(deps.gitPath, deps.processEnvironment);
  const acceptor = new GitAcceptor({ ...deps, git });
  return {
    git,
    acceptor,
    protectedTarget: (input) => acceptor.protectedTarget(input),
    protectedAgain: (operation, patch) => acceptor.protectedAgain(operation, patch),
    executor: new GitExecutor({ ...deps, git }),
    laneAt: async (folder) => {
      const found = await resolveRepository(git, folder);
      return found.kind === "repository" ? laneOf(found.commonDir) : undefined;
    },
    preview: async (queued) => {
      const previews: GitPreviewData[] = [];
      for (const operations of Map.groupBy(queued, ({ group }) => group).values()) {
        const preview = await previewGit({ ...deps, git }, operations);
        if (preview) previews.push(preview);
      }
      return previews;
    },
    changes: (operation, result) => fileChanges(git, operation, result),
    content: (group, version) => fileContent(git, commonDirOf(group), version),
    undo: ({ id, group }) => undoBatch(git, commonDirOf(group), id),
  };
}
