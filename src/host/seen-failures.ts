import type { OperationView, Snapshot } from "../core/snapshot.ts";
import { newestFailure } from "./status-bar-model.ts";
import type { NodeRef } from "./tree/node.ts";
import { endOf, findBatch, findOperation, hasFailed } from "./tree/structure.ts";

/** Keeps when the newest failure that was seen ended, as an ISO time; empty: none was. */
interface Store {
  readonly get: () => string;
  readonly set: (until: string) => void;
}

/** How far a person has looked at what failed. Each answers whether they saw something new. */
export class SeenFailures {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The end of the newest one, as an ISO time; empty: none. */
  until(): string {
    return this.#store.get();
  }

  all(snapshot: Snapshot): boolean {
    return this.#upTo(newestFailure(snapshot));
  }

  /** A row of the queue was chosen. What failed stands on top together, so who chose one has seen all. */
  row(snapshot: Snapshot, ref: NodeRef): boolean {
    return saysFailed(snapshot, ref) && this.all(snapshot);
  }

  /** What is told of an operation was opened, be it from elsewhere. */
  operation({ git, llm }: Snapshot, id: string): boolean {
    const batch = [...git.executed, ...llm.executed].find(({ operations }) =>
      operations.some((operation) => operation.id === id && isFailure(operation)),
    );
    return batch !== undefined && this.#upTo(endOf(batch));
  }

  #upTo(end: string): boolean {
    if (end <= this.until()) return false;
    this.#store.set(end);
    return true;
  }
}

function saysFailed(snapshot: Snapshot, ref: NodeRef): boolean {
  switch (ref.kind) {
    case "section":
      return ref.section === "failed";
    case "batch": {
      const batch = findBatch(snapshot[ref.side], ref.batch);
      return batch !== undefined && hasFailed(batch);
    }
    case "operation": {
      const operation = findOperation(snapshot[ref.side], ref.operation, ref.batch);
      return operation !== undefined && isFailure(operation);
    }
    case "side":
    case "place":
    case "day":
    case "more":
      return false;
  }
}

export const isFailure = ({ status }: Pick<OperationView, "status">): boolean =>
  status === "failed" || status === "expired";
