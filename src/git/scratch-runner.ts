import { join } from "node:path";
import type { GitRunner, GitRunOptions } from "./runner.ts";

/** Writes new objects into a folder of their own; reads see the repository's as well. */
export class ScratchRunner implements GitRunner {
  readonly #inner: GitRunner;
  readonly #env: Readonly<Record<string, string>>;

  constructor(inner: GitRunner, commonDir: string, objects: string) {
    this.#inner = inner;
    this.#env = {
      GIT_OBJECT_DIRECTORY: objects,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: join(commonDir, "objects"),
    };
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
    return { ...options, env: { ...options.env, ...this.#env } };
  }
}
