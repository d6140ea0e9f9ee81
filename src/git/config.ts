import type { GitRunner } from "./runner.ts";

/** What `git config` says in one worktree, all files and includes applied. */
export class GitConfig {
  readonly #values = new Map<string, string[]>();

  constructor(output: string) {
    for (const record of output.split("\0")) {
      const newline = record.indexOf("\n");
      const name = newline < 0 ? record : record.slice(0, newline);
      if (name === "") continue;
      const value = newline < 0 ? "true" : record.slice(newline + 1);
      const values = this.#values.get(name);
      if (values) values.push(value);
      else this.#values.set(name, [value]);
    }
  }

  /** Section and key in lower case, the subsection as it is. */
  get(name: string): string | undefined {
    return this.#values.get(name)?.at(-1);
  }

  flag(name: string, fallback: boolean): boolean {
    const value = this.get(name)?.toLowerCase();
    if (value === undefined) return fallback;
    return !["false", "no", "off", "0", ""].includes(value);
  }

  has(prefix: string): boolean {
    return [...this.#values.keys()].some((name) => name.startsWith(prefix));
  }

  /** Names of the configured remotes, in order. */
  remotes(): readonly string[] {
    const names = [...this.#values.keys()].flatMap(
      (name) => /^remote\.(.+)\.(url|pushurl)$/s.exec(name)?.[1] ?? [],
    );
    return [...new Set(names)];
  }
}

export const readConfig = async (git: GitRunner, cwd: string): Promise<GitConfig> =>
  new GitConfig((await git.must(cwd, ["config", "--null", "--list"])).toString("utf8"));
