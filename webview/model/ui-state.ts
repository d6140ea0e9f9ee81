import * as v from "valibot";
import { kindFilters, noFilter, stateFilters } from "./filter.ts";

const uiState = v.object({
  filter: v.fallback(
    v.object({
      state: v.picklist(stateFilters),
      kind: v.picklist(kindFilters),
      group: v.string(),
      text: v.string(),
    }),
    noFilter,
  ),
  expansion: v.fallback(v.record(v.string(), v.boolean()), {}),
  /** The round trips chart shows one side or both. */
  tripSide: v.fallback(v.picklist(["all", "git", "llm"]), "all"),
  /** Charts that are shown as tables. */
  tables: v.fallback(v.array(v.string()), []),
  scroll: v.fallback(v.number(), 0),
});

/** How the reader arranged the panel; survives hiding and reloading. */
export type UiState = v.InferOutput<typeof uiState>;

/** What an earlier page left behind, with defaults for whatever is missing or was written by another version. */
export const readUiState = (stored: unknown): UiState =>
  v.parse(uiState, { filter: undefined, ...(typeof stored === "object" ? stored : {}) });
