import { commands, env, l10n, window, workspace } from "vscode";
import type { Disposable, Memento } from "vscode";
import type { Clock, Logger } from "../core/ports.ts";
import type { Snapshot } from "../core/snapshot.ts";
import type { ContextKeys } from "./context-keys.ts";
import type { GitChoices, Parts } from "./parts.ts";
import type { Settings } from "./settings.ts";
import { detailsIdOf } from "./inspect/details-path.ts";
import { shownTabs } from "./open-tabs.ts";
import { resultIdOf } from "./results/documents.ts";
import { SeenFailures } from "./seen-failures.ts";
import { SCHEME } from "./scheme.ts";
import { setProgress } from "./progress-keys.ts";
import { StatusBar } from "./status-bar.ts";
import { numbersIn } from "./numbers.ts";
import { badgeOf } from "./tree/badge.ts";
import type { Dismissed } from "./tree/dismissed.ts";
import { QueueDrag } from "./tree/drag.ts";
import { TreeFocus } from "./tree/focus.ts";
import type { NodeRef, QueueNode } from "./tree/node.ts";
import { TreeModel } from "./tree/model.ts";
import { QueueTree, treeContext } from "./tree/view.ts";
import { watchFocus } from "./ui/focus-watch.ts";
import { ViewProgress } from "./ui/view-progress.ts";
import type { WindowState } from "./window-state.ts";

const SEEN = "seenFailure";
const QUEUE = "batchControl.queue";

interface ViewsDeps {
  readonly state: WindowState;
  readonly journal: Pick<Parts["journal"], "operations" | "queues">;
  /** Resolves once `state` tells of all that was done so far. */
  readonly refresh: () => Promise<void>;
  readonly settings: Settings;
  /** Moves queued operations to the place of another one; tells of a refusal itself and never rejects. */
  readonly move: (ids: readonly string[], onto: string) => Promise<void>;
  /** Remembers which failure was looked at. */
  readonly seen: Memento;
  readonly dismissed: Dismissed;
  readonly contextKeys: ContextKeys;
  readonly choices: GitChoices;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Tree, badge, status bar and context keys, which follow the snapshot. */
export class Views implements Disposable {
  readonly #deps: ViewsDeps;
  readonly #model: TreeModel;
  readonly #tree: QueueTree;
  readonly #focus: TreeFocus;
  readonly #bar = new StatusBar();
  readonly #progress = new ViewProgress(QUEUE);
  readonly #numbers = numbersIn(env.language);
  readonly #seen: SeenFailures;
  readonly #disposables: readonly { dispose(): unknown }[];
  readonly #view;
  #disposed = false;

  constructor(deps: ViewsDeps) {
    this.#deps = deps;
    this.#seen = new SeenFailures({
      get: () => deps.seen.get<string>(SEEN, ""),
      set: (until) => void deps.seen.update(SEEN, until),
    });
    const model = (this.#model = new TreeModel(
      () => deps.state.current(),
      deps.journal,
      treeContext(env.language),
      () => deps.dismissed.ids(),
    ));
    this.#tree = new QueueTree(model, deps.clock);
    this.#view = window.createTreeView(QUEUE, {
      treeDataProvider: this.#tree,
      canSelectMany: true,
      dragAndDropController: new QueueDrag(deps.move),
      showCollapseAll: true,
    });
    this.#focus = new TreeFocus({
      model,
      watch: () => watchFocus(deps.clock),
      followed: deps.refresh,
      reveal: (row) => this.#view.reveal(row, { focus: true, select: false }),
      failed: (error) => deps.log.error("The focus could not be put on a row.", error),
    });
    this.#disposables = [
      this.#view,
      this.#tree,
      this.#bar,
      this.#progress,
      deps.state.onDidChange((snapshot) => this.#update(snapshot)),
      deps.settings.onDidChange(() => this.#update(deps.state.current())),
      this.#view.onDidChangeVisibility(({ visible }) => {
        if (visible) this.markSeen();
      }),
      this.#view.onDidChangeSelection(({ selection }) => {
        for (const row of selection) this.#chose(row);
      }),
      window.tabGroups.onDidChangeTabs(() => this.#readShown()),
      window.tabGroups.onDidChangeTabGroups(() => this.#readShown()),
      workspace.onDidChangeWorkspaceFolders(() => this.#lookForRepositories()),
    ];
    this.#lookForRepositories();
    this.#update(deps.state.current());
  }

  /** The person has looked at what failed so far. */
  markSeen(): void {
    if (this.#seen.all(this.#deps.state.current())) this.#updateBar();
  }

  /** Takes batches with a failure from the top of the tree, which counts as having looked at what failed. */
  dismiss(batches: readonly string[]): void {
    const snapshot = this.#deps.state.current();
    this.#deps.dismissed.add(batches, snapshot);
    this.markSeen();
    this.#update(snapshot);
  }

  /** Puts the focus on a row, wherever the person is. Where it is gone, on the queue. */
  async show(ref: NodeRef): Promise<void> {
    const row = this.#model.row(ref);
    if (row) await this.#view.reveal(row, { focus: true, select: true });
    else await commands.executeCommand(`${QUEUE}.focus`);
    this.markSeen();
  }

  showMore(row: QueueNode): Promise<void> {
    return this.#focus.lead(() => this.#tree.showMore(row));
  }

  /** Runs what was chosen on a row, after which the focus is on that row or near it. */
  keepFocus<Answer>(row: QueueNode, run: () => Promise<Answer>): Promise<Answer> {
    this.#chose(row);
    return this.#focus.keep(row, run);
  }

  dispose(): void {
    this.#disposed = true;
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #chose(row: QueueNode): void {
    if (this.#seen.row(this.#deps.state.current(), row.ref)) this.#updateBar();
  }

  /** What is told of an operation lies open in front of the person. */
  #readShown(): void {
    const ids = shownTabs(SCHEME).flatMap(({ path }) => detailsIdOf(path) ?? resultIdOf(path) ?? []);
    const news = ids.filter((id) => this.#seen.operation(this.#deps.state.current(), id));
    if (news.length > 0) this.#updateBar();
  }

  #update(snapshot: Snapshot): void {
    this.#tree.changed().catch((error: unknown) => this.#deps.log.error("The tree could not follow.", error));
    const badge = badgeOf(snapshot, l10n.t, this.#numbers);
    this.#view.badge = badge;
    // A batch of requests may take hours; its row says how far it is.
    this.#progress.show(snapshot.git.executing.length > 0);
    this.#updateBar();
    const { contextKeys } = this.#deps;
    contextKeys.set("git.paused", snapshot.paused.git);
    contextKeys.set("llm.paused", snapshot.paused.llm);
    contextKeys.set("paused", snapshot.paused.git && snapshot.paused.llm);
    contextKeys.set("hasWaiting", badge !== undefined);
    setProgress(contextKeys, snapshot);
  }

  /** With the queues as they are then: a snapshot lists only their beginnings. */
  #updateBar(): void {
    const { journal, state, settings, log } = this.#deps;
    Promise.all([journal.queues("git"), journal.queues("llm")]).then(
      ([git, llm]) => {
        if (!this.#disposed) this.#bar.update(state.current(), this.#seen.until(), settings, { git, llm });
      },
      (error: unknown) => log.error("The queues could not be read for the status bar.", error),
    );
  }

  /** Only for the welcome text; a failure to look must not say that there is none. */
  #lookForRepositories(): void {
    this.#deps.choices.worktrees().then(
      (worktrees) => this.#deps.contextKeys.set("noRepository", worktrees.length === 0),
      (error: unknown) => this.#deps.log.debug(`Repositories could not be listed: ${String(error)}`),
    );
  }
}
