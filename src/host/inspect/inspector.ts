import { existsSync } from "node:fs";
import { join } from "node:path";
import { commands, env, l10n, Uri, workspace } from "vscode";
import { StateError } from "../../core/errors.ts";
import { sideOf } from "../../core/operation.ts";
import type { StoredOperation } from "../../core/operation.ts";
import type { FileChange, FileVersion } from "../../git/index.ts";
import { mergeFacts } from "../merge-facts.ts";
import { numbersIn } from "../numbers.ts";
import type { Parts } from "../parts.ts";
import { showRendered } from "../show-rendered.ts";
import { titleOf } from "../results/title.ts";
import { pickMany } from "../ui/ask.ts";
import { back } from "../ui/steps.ts";
import type { VirtualDocuments } from "../virtual-documents.ts";
import type { FileContents } from "./contents.ts";
import { detailsMarkdown } from "./details-markdown.ts";
import { detailsIdOf, detailsPath } from "./details-path.ts";
import { worktreeBehind } from "./worktree-behind.ts";

type Needs = Pick<Parts, "origin" | "journal" | "files" | "git" | "llm" | "choices">;

/** Opens what stands behind an operation. Each rejects with `StateError` where there is nothing to open. */
export class Inspector {
  readonly #parts: Needs;
  readonly #contents: FileContents;
  readonly #documents: Pick<VirtualDocuments, "changed">;

  constructor(parts: Needs, contents: FileContents, documents: Pick<VirtualDocuments, "changed">) {
    this.#parts = parts;
    this.#contents = contents;
    this.#documents = documents;
  }

  /** Its files before and after, in the diff editor; answers their paths. */
  async openChanges(id: string): Promise<readonly string[]> {
    const operation = await this.#find(id);
    const changes = await this.#changes(operation);
    const uri = (version: FileVersion | undefined, path: string): Uri =>
      this.#contents.uri(id, version, path);
    const [only, ...more] = changes;
    if (!only)
      throw new StateError("no-changes", l10n.t('id: "{0}" has changed no files so far.', operation.label));
    if (more.length === 0) {
      const title = `${only.path} (${operation.label})`;
      const [left, right] = [uri(only.before, only.path), uri(only.after, only.path)];
      await commands.executeCommand("vscode.diff", left, right, title, { preview: true });
    } else {
      const all = changes.map(({ path, before, after }) => [
        uri(after ?? before, path),
        before && uri(before, path),
        after && uri(after, path),
      ]);
      await commands.executeCommand("vscode.changes", operation.label, all);
    }
    return changes.map(({ path }) => path);
  }

  /** The worktree to go on in from a git operation: see `worktreeBehind`. */
  async worktree(id: string): Promise<string> {
    return this.#worktree(await this.#find(id));
  }

  /** Shows a folder in the Explorer, in a window of its own where this one does not have it open. */
  async openFolder(path: string): Promise<void> {
    const uri = Uri.file(path);
    if (!existsSync(path)) throw new StateError("no-file", l10n.t("{0} is not there any more.", path));
    if (workspace.getWorkspaceFolder(uri)) await commands.executeCommand("revealInExplorer", uri);
    else await commands.executeCommand("vscode.openFolder", uri, { forceNewWindow: true });
  }

  /** Its files as they are in the worktree now, be it those that conflict, or the file that a prompt was run on. */
  async files(id: string): Promise<readonly string[]> {
    const operation = await this.#find(id);
    if (operation.kind === "request") {
      const { metadata } = await this.#input(operation);
      const file =
        typeof metadata === "object" && metadata !== null && "file" in metadata ? metadata.file : undefined;
      if (typeof file === "string") return [file];
      throw new StateError("no-file", l10n.t("id: this request was not made from a file."));
    }
    const worktree = await this.#worktree(operation);
    const conflicting = mergeFacts(operation.detail)?.conflictFiles ?? [];
    if (conflicting.length > 0) return conflicting.map((path) => join(worktree, path));
    return (await this.#changes(operation))
      .filter(({ after }) => after !== undefined)
      .map(({ path }) => join(worktree, path));
  }

  async openFiles(files: readonly string[]): Promise<void> {
    for (const file of files)
      await commands.executeCommand("vscode.open", Uri.file(file), { preview: files.length === 1 });
  }

  /** Rejects with `Cancelled` when dismissed. */
  async choose(files: readonly string[]): Promise<readonly string[]> {
    if (files.length < 2) return files;
    const chosen = await pickMany({
      title: l10n.t("Open File"),
      canGoBack: false,
      placeholder: l10n.t("Files to open"),
      missing: l10n.t("Choose at least one file."),
      items: files.map((file) => ({ label: workspace.asRelativePath(file), value: file })),
    });
    if (chosen === back) throw new Error("The only question has nothing before it.");
    return chosen;
  }

  /** Everything that is known of it, as a read-only document, rendered. */
  async openDetails(id: string): Promise<void> {
    // Read first, so that a refusal is an error and not a document that cannot be read.
    const { label } = await this.#find(id);
    await showRendered(this.#documents.changed(detailsPath(id, titleOf(label))));
  }

  /** The text of a document by its path, where it is one of an operation's details. */
  details(path: string): Promise<string> | undefined {
    const id = detailsIdOf(path);
    return id === undefined ? undefined : this.#details(id);
  }

  async #details(id: string): Promise<string> {
    const operation = await this.#find(id);
    const time = new Intl.DateTimeFormat(env.language, { dateStyle: "medium", timeStyle: "medium" });
    const { retryOf, detail } = operation;
    const basis =
      typeof detail === "object" && detail !== null && "dependency" in detail ? detail.dependency : undefined;
    const told = {
      operation,
      earlier: await this.#pathOf(retryOf),
      basis: await this.#pathOf(basis),
      here: this.#parts.origin,
      result: await this.#parts.journal.result(id),
      input: await this.#input(operation),
    };
    return detailsMarkdown(told, l10n.t, { ...numbersIn(env.language), time: (at) => time.format(at) });
  }

  async #pathOf(id: unknown): Promise<string | undefined> {
    const found = typeof id === "string" ? await this.#parts.journal.operation(id) : undefined;
    return found && detailsPath(found.id, titleOf(found.label));
  }

  async #worktree(operation: StoredOperation): Promise<string> {
    const { worktree } = await this.#input(operation);
    if (typeof worktree !== "string")
      throw new StateError("no-file", l10n.t("id: it belongs to no worktree."));
    return worktreeBehind(operation, worktree, await this.#parts.choices.worktrees());
  }

  async #find(id: string): Promise<StoredOperation> {
    const operation = await this.#parts.journal.operation(id);
    if (!operation) throw new StateError("not-found", l10n.t("id: there is no operation {0}.", id));
    return operation;
  }

  #input({ id, kind }: StoredOperation): Promise<Readonly<Record<string, unknown>>> {
    return this.#parts[sideOf(kind)].inputOf(id);
  }

  async #changes(operation: StoredOperation): Promise<readonly FileChange[]> {
    if (sideOf(operation.kind) === "llm")
      throw new StateError(
        "no-changes",
        l10n.t("id: an LLM request changes no files by itself; review its result instead."),
      );
    return this.#parts.files.changes(operation, await this.#parts.journal.result(operation.id));
  }
}
