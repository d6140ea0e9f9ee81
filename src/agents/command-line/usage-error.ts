/** The command line itself is wrong; nothing was asked of any window. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}
