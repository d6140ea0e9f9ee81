import { sideOf } from "../../core/operation.ts";
import type { SideName } from "../../core/operation.ts";
import type { BatchView, OperationView } from "../../core/snapshot.ts";

export type Section = "failed" | "executing" | "pending" | "queued" | "finished";

/** The identity of a row. What it shows is looked up in the newest snapshot, so a row survives changes of its state. */
export type NodeRef =
  | { readonly kind: "side"; readonly side: SideName }
  | { readonly kind: "section"; readonly side: SideName; readonly section: Section }
  /** What is queued in one worktree, or for one LLM group, where there are several. */
  | { readonly kind: "place"; readonly side: SideName; readonly place: string }
  | { readonly kind: "day"; readonly side: SideName; readonly day: string }
  /** Stands last where not all is shown. */
  | { readonly kind: "more"; readonly side: SideName; readonly batch?: string }
  | { readonly kind: "batch"; readonly side: SideName; readonly batch: string }
  | {
      readonly kind: "operation";
      readonly side: SideName;
      readonly operation: string;
      readonly batch?: string;
    };

/** The row of an operation in its batch. */
export const rowOf = ({ id, kind }: OperationView, batch: BatchView): NodeRef => ({
  kind: "operation",
  side: sideOf(kind),
  operation: id,
  batch: batch.id,
});

/** A row of the tree. A class, so that a menu's argument is never mistaken for an argument from code. */
export class QueueNode {
  readonly ref: NodeRef;
  readonly id: string;

  constructor(ref: NodeRef) {
    this.ref = ref;
    this.id = nodeId(ref);
  }
}

export function nodeId(ref: NodeRef): string {
  switch (ref.kind) {
    case "side":
      return ref.side;
    case "section":
      return `${ref.side}/${ref.section}`;
    case "place":
      return `${ref.side}/place/${ref.place}`;
    case "day":
      return `${ref.side}/day/${ref.day}`;
    case "more":
      return ref.batch ? `${ref.side}/more/${ref.batch}` : `${ref.side}/more`;
    case "batch":
      return `batch/${ref.batch}`;
    case "operation":
      return ref.batch ? `operation/${ref.batch}/${ref.operation}` : `operation/${ref.operation}`;
  }
}
