/** The `batchControl.git.*` settings that the executing window has for one worktree. Times are seconds. */
export interface GitSettings {
  readonly atomicPush: boolean;
  /** 0: none, save what was learned from the host. */
  readonly maxRefsPerPush: number;
  /** Globs on short branch names. */
  readonly protectedBranches: readonly string[];
  readonly verifyCommand: string;
  readonly verifyPrepare: string;
  readonly verifyTimeout: number;
  readonly commitTimeout: number;
  readonly pushTimeout: number;
}

/** The first glob that covers the short name; `*` stays within a segment, `**` crosses them. */
export function protectingGlob(globs: readonly string[], shortName: string): string | undefined {
  return globs.find((glob) => globPattern(glob).test(shortName));
}

function globPattern(glob: string): RegExp {
  const source = glob.replace(/\*\*|[*?]|[.+^${}()|[\]\\]/g, (found) => {
    switch (found) {
      case "**":
        return ".*";
      case "*":
        return "[^/]*";
      case "?":
        return "[^/]";
      default:
        return `\\${found}`;
    }
  });
  return new RegExp(`^${source}$`);
}
