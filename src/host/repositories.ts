import { EventEmitter, extensions, workspace } from "vscode";
import type { Disposable, Event, Uri } from "vscode";
import type { Logger } from "../core/ports.ts";

/** The part of the built-in git extension's API (version 1) that is read here. */
interface BuiltInGit {
  readonly git: { readonly path: string };
  readonly repositories: readonly { readonly rootUri: Uri; readonly inputBox: { value: string } }[];
  readonly onDidOpenRepository: Event<unknown>;
  readonly onDidCloseRepository: Event<unknown>;
}

interface BuiltInGitExports {
  readonly enabled: boolean;
  readonly onDidChangeEnablement: Event<boolean>;
  getAPI(version: 1): BuiltInGit;
}

/**
 * Folders of this window in which a repository may lie: the workspace's, and what the built-in git extension opened. That
 * extension may be missing, disabled or arrive late (with the workspace's trust), so it is looked up when asked.
 */
export class OpenFolders implements Disposable {
  readonly #log: Logger;
  readonly #changed = new EventEmitter<void>();
  readonly #subscriptions: Disposable[];
  #git: BuiltInGit | undefined;
  readonly onDidChange: Event<void> = this.#changed.event;

  constructor(log: Logger) {
    this.#log = log;
    const changed = (): void => this.#changed.fire();
    this.#subscriptions = [
      workspace.onDidChangeWorkspaceFolders(changed),
      workspace.onDidGrantWorkspaceTrust(changed),
      extensions.onDidChange(() => void this.#connect()),
    ];
    void this.#connect();
  }

  /** Absolute paths, each once. */
  paths(): readonly string[] {
    const folders = (workspace.workspaceFolders ?? []).map((folder) => folder.uri);
    const repositories = this.#git?.repositories.map((repository) => repository.rootUri) ?? [];
    const files = [...folders, ...repositories].filter((uri) => uri.scheme === "file");
    return [...new Set(files.map((uri) => uri.fsPath))];
  }

  /** What is written in Source Control's message box of a worktree. */
  message(worktree: string): string {
    return this.#inputBox(worktree)?.value ?? "";
  }

  /** Empties the message box of a worktree, as a commit there does, unless something else is written there by now. */
  messageWasUsed(worktree: string, message: string): void {
    const box = this.#inputBox(worktree);
    if (box?.value === message) box.value = "";
  }

  /** The git that the built-in extension found, else `git` on the path. */
  gitPath(): string {
    return this.#git?.git.path ?? "git";
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#changed.dispose();
  }

  async #connect(): Promise<void> {
    if (this.#git) return;
    const extension = extensions.getExtension<BuiltInGitExports>("vscode.git");
    if (!extension) return;
    try {
      const exports = await extension.activate();
      // Two calls may wait for the same activation.
      if (this.#isConnected()) return;
      if (!exports.enabled) {
        this.#subscriptions.push(exports.onDidChangeEnablement(() => void this.#connect()));
        return;
      }
      const git = exports.getAPI(1);
      const changed = (): void => this.#changed.fire();
      this.#subscriptions.push(git.onDidOpenRepository(changed), git.onDidCloseRepository(changed));
      this.#git = git;
      changed();
    } catch (error) {
      this.#log.warn(`The built-in git extension is not available: ${String(error)}`);
    }
  }

  #inputBox(worktree: string): { value: string } | undefined {
    return this.#git?.repositories.find(({ rootUri }) => rootUri.fsPath === worktree)?.inputBox;
  }

  #isConnected(): boolean {
    return this.#git !== undefined;
  }
}
