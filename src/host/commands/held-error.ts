import { StateError } from "../../core/errors.ts";
import type { Hold } from "../../core/snapshot.ts";

/** Nothing can run until the hold is mended. Its reason is the hold's. */
export class HeldError extends StateError {
  readonly hold: Hold;

  /** `text`: the hold in the reader's language. */
  constructor(hold: Hold, text: string) {
    super(hold.reason, text);
    this.name = "HeldError";
    this.hold = hold;
  }
}
