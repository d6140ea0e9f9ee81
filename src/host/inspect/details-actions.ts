import type { Operation, OperationKind, OperationStatus } from "../../core/operation.ts";
import type { Logger } from "../../core/ports.ts";
import type { ContextKeys } from "../context-keys.ts";
import type { Parts } from "../parts.ts";
import { detailsIdOf } from "./details-path.ts";

interface Deps {
  readonly journal: Pick<Parts["journal"], "operation">;
  readonly contextKeys: Pick<ContextKeys, "set">;
  readonly log: Pick<Logger, "error">;
}

interface Shown {
  readonly path: string;
  readonly operation: Operation;
}

/** Tells the editor which open details can be acted on and how, each by its path: two beside each other may differ. */
export class DetailsActions {
  readonly #deps: Deps;
  #newest = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** `paths`: of the documents that have a tab. */
  update(paths: readonly string[]): void {
    this.#newest += 1;
    const turn = this.#newest;
    this.#read(paths).then(
      (shown) => {
        // A later question may be answered before this one.
        if (turn === this.#newest) this.#tell(shown);
      },
      (error: unknown) => this.#deps.log.error("What details offer could not be found out.", error),
    );
  }

  async #read(paths: readonly string[]): Promise<readonly Shown[]> {
    const found = await Promise.all(
      paths.map(async (path) => {
        const id = detailsIdOf(path);
        const operation = id === undefined ? undefined : await this.#deps.journal.operation(id);
        return operation ? [{ path, operation }] : [];
      }),
    );
    return found.flat();
  }

  #tell(shown: readonly Shown[]): void {
    const { contextKeys } = this.#deps;
    const which = (may: (operation: Operation) => boolean): readonly string[] =>
      shown.filter(({ operation }) => may(operation)).map(({ path }) => path);
    contextKeys.set("details.retry", which(is("failed", "cancelled", "expired")));
    contextKeys.set("details.cancel", which(is("queued", "pending")));
    contextKeys.set("details.edit", which(is("queued")));
    contextKeys.set("details.changes", which(hasChanges));
    contextKeys.set("details.result", which(hasResult));
    contextKeys.set("details.file", which(hasFile));
    contextKeys.set("details.worktree", which(of("commit", "push", "merge")));
  }
}

const is =
  (...statuses: readonly OperationStatus[]) =>
  ({ status }: Operation): boolean =>
    statuses.includes(status);
const of =
  (...kinds: readonly OperationKind[]) =>
  ({ kind }: Operation): boolean =>
    kinds.includes(kind);

/** As the rows of the tree have it: of a merge, those in conflict. */
const hasFile = (operation: Operation): boolean =>
  of("commit", "request")(operation) || (operation.kind === "merge" && operation.reason === "conflict");
const hasChanges = (operation: Operation): boolean =>
  operation.kind === "commit"
    ? is("queued", "pending", "executing", "succeeded", "failed")(operation)
    : operation.kind === "merge" && operation.status === "succeeded";
const hasResult = (operation: Operation): boolean =>
  operation.kind === "request" && is("executing", "succeeded", "failed", "expired")(operation);
