import assert from "node:assert/strict";
import { inTurns, severalAtOnce } from "../../support/lanes/file-runs.ts";
import type { Runnable } from "../../support/lanes/file-runs.ts";
import type { FileRun } from "../../support/lanes/mocha-process.ts";

/** The process of a file that does what it is told, and a log of who began, was let go and ended. */
class Stage {
  readonly log: string[] = [];
  readonly #prepared = new Map<string, () => void>();
  readonly #ended = new Map<string, () => void>();

  readonly begin = (file: string): Runnable => {
    this.log.push(`begin ${file}`);
    const prepared = Promise.withResolvers<unknown>();
    const ended = Promise.withResolvers<FileRun>();
    this.#prepared.set(file, () => prepared.resolve(undefined));
    this.#ended.set(file, () => {
      this.log.push(`end ${file}`);
      prepared.resolve(undefined);
      ended.resolve({ file, totals: undefined, exitCode: 0 });
    });
    return {
      prepared: prepared.promise,
      ended: ended.promise,
      go: () => this.log.push(`go ${file}`),
    };
  };

  prepare(file: string): Promise<void> {
    this.#prepared.get(file)?.();
    return settled();
  }

  end(file: string): Promise<void> {
    this.#ended.get(file)?.();
    return settled();
  }
}

/** Until everything that waits only for promises has gone on. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("The files of a lane", () => {
  it("run as many at once as there may be, and each once", async () => {
    const stage = new Stage();
    const all = severalAtOnce(["a", "b", "c", "d"], 2, stage.begin);
    assert.deepEqual(stage.log, ["begin a", "begin b"]);
    await stage.end("b");
    assert.deepEqual(stage.log.splice(0), ["begin a", "begin b", "end b", "go b", "begin c"]);
    await stage.end("c");
    await stage.end("d");
    assert.deepEqual(stage.log, ["end c", "go c", "begin d", "end d", "go d"]);
    await stage.end("a");
    assert.deepEqual((await all).map(({ file }) => file).sort(), ["a", "b", "c", "d"]);
  });

  it("take turns: the next prepares while one is tested, and is let go when that has ended", async () => {
    const stage = new Stage();
    const all = inTurns(["a", "b", "c"], stage.begin);
    await settled();
    assert.deepEqual(stage.log.splice(0), ["begin a", "go a"]);
    await stage.prepare("a");
    await stage.prepare("b");
    assert.deepEqual(stage.log.splice(0), ["begin b"], "one is tested, one is prepared, and no third begins");
    await stage.end("a");
    assert.deepEqual(stage.log.splice(0), ["end a", "go b", "begin c"]);
    await stage.end("b");
    await stage.end("c");
    assert.deepEqual(stage.log, ["end b", "go c", "end c"]);
    assert.deepEqual(
      (await all).map(({ file }) => file),
      ["a", "b", "c"],
    );
  });

  it("take turns also where one ends before its first test", async () => {
    const stage = new Stage();
    const all = inTurns(["a", "b"], stage.begin);
    await settled();
    await stage.end("a");
    assert.deepEqual(stage.log, ["begin a", "go a", "end a", "begin b", "go b"]);
    await stage.end("b");
    assert.equal((await all).length, 2);
  });
});
