import type { GitInput, LlmRequestInput } from "../../../src/core/schema/inputs.ts";

/** The journal's verbs whose first and last moments are tried. */
export const steps = [
  "enqueue",
  "seal",
  "lead",
  "claim",
  "recordIntent",
  "recordStart",
  "recordOutcome",
  "release",
  "remember",
] as const;
export type Step = (typeof steps)[number];

/** When a process ends itself with SIGKILL. */
export type Kill =
  /** At the nth call of a verb: before anything is written, or when it is durable but nobody has heard of it. */
  | { readonly kind: "step"; readonly step: Step; readonly when: "before" | "after"; readonly nth: number }
  /** Some time after the nth intent became durable, and at the latest when its outcome is to be written. */
  | { readonly kind: "flight"; readonly nth: number; readonly afterMs: number };

/** One thing to ask for, again and again under the same key until it is acknowledged. */
export interface Wish {
  readonly key: string;
  /** Wishes of one chain are asked for one after the other. */
  readonly chain: string;
  /** Files written just before, by absolute path. */
  readonly files?: Readonly<Record<string, string>>;
  readonly git?: GitInput;
  readonly llm?: LlmRequestInput;
}

/** Everything a process is told. */
export interface Orders {
  readonly storage: string;
  readonly temporary: string;
  readonly lanes: readonly string[];
  /** Base URL of the simulator. */
  readonly url: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly wishes: readonly Wish[];
  readonly kill?: Kill;
  /** As when the power is cut: its git processes die with it. */
  readonly takesChildren: boolean;
  /** `false`: what earlier processes recorded is hidden from whoever executes. */
  readonly reconciles: boolean;
  /** Seconds. */
  readonly unknownOutcomeWait: number;
  /** Milliseconds to go on while the journal is locked. */
  readonly patienceMs?: number;
  /** Flushes nothing and does not end before it is told to. */
  readonly stays?: boolean;
}

/** What a process that stays is told on the way, one line of JSON each. */
export type Command =
  | { readonly kind: "ask"; readonly wishes: readonly Wish[] }
  | { readonly kind: "flush" }
  /** Ends it once nothing is left to do. */
  | { readonly kind: "end" };

/** What a process tells, one line of JSON each. */
export type Report =
  | { readonly kind: "accepted"; readonly key: string; readonly id: string }
  | { readonly kind: "refused"; readonly key: string; readonly error: string }
  | { readonly kind: "dying" }
  | { readonly kind: "idle" };
