import type { Caller } from "./command.ts";

/** Who enqueues, in the words of the batchers. */
export const asked = (caller: Caller): { source: "person" | "extension"; interactive: boolean } =>
  caller === "person" ? { source: "person", interactive: true } : { source: "extension", interactive: false };
