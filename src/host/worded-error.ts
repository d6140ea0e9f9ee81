import { StateError } from "../core/errors.ts";

/** A refusal that is in the reader's language already. */
export class WordedError extends StateError {}
