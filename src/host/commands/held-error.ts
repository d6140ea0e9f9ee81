import type { Hold } from "../../core/snapshot.ts";
import { WordedError } from "../worded-error.ts";

/** Nothing can run until the hold is mended. Its reason is the hold's. */
export class HeldError extends WordedError {
  readonly hold: Hold;

  /** `text`: the hold in the reader's language. */
  constructor(hold: Hold, text: string) {
    super(hold.reason, text);
    this.name = "HeldError";
    this.hold = hold;
  }
}
