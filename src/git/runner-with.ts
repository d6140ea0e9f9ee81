import { join } from "node:path";
import type { GitRunner, GitRunOptions } from "./runner.ts";

/** A runner that adds the same options to every call but `read`. */
export class RunnerWith implements GitRunner {
  readonly #inner: GitRunner;
  readonly #options: GitRunOptions;

  constructor(inner: GitRunner, options: GitRunOptions) {
    this.#inner = inner;
    this.#options = options;
  }

  get started(): number {
    return this.#inner.started;
  }

  get sshConfigured(): boolean {
    return this.#inner.sshConfigured;
  }

  read(cwd: string, args: readonly string[]): Promise<string> {
    return this.#inner.read(cwd, args);
  }

  run(cwd: string, args: readonly string[], options: GitRunOptions = {}): ReturnType<GitRunner["run"]> {
    return this.#inner.run(cwd, args, this.#with(options));
  }

  must(cwd: string, args: readonly string[], options: GitRunOptions = {}): Promise<Buffer> {
    return this.#inner.must(cwd, args, this.#with(options));
  }

  #with(options: GitRunOptions): GitRunOptions {
    return { ...this.#options, ...options, env: { ...options.env, ...this.#options.env } };
  }
}

/** Writes new objects into a folder of their own; reads see the repository's as well. */
export const scratchRunner = (inner: GitRunner, commonDir: string, objects: string): GitRunner =>
  new RunnerWith(inner, {
    env: {
      GIT_OBJECT_DIRECTORY: objects,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: join(commonDir, "objects"),
    },
  });
