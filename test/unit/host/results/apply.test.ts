import assert from "node:assert/strict";
import { v7 } from "uuid";
import { runCommand } from "../../../../src/host/commands/funnel.ts";
import { resultCommands } from "../../../../src/host/commands/results.ts";
import type { ResultWindow } from "../../../../src/host/commands/results.ts";
import type { Change } from "../../../../src/host/results/changes.ts";
import { fill } from "../../../support/host/translate.ts";

const id = v7();

/** Two files that one answer replaces, a person who chooses both, and a window that writes down what it does. */
function desk() {
  const files = new Map([
    ["a.js", "one"],
    ["b.js", "two"],
  ]);
  const did: string[] = [];
  let whileChoosing = (): void => undefined;
  const changes = (): Change[] =>
    [...files].map(([name, before]) => ({ path: `/w/${name}`, name, before, after: `new ${name}` }));
  const window: Partial<ResultWindow> = {
    current: () => id,
    plan: () => Promise.resolve({ changes: changes(), refused: [] }),
    review: (_id, plan) => {
      did.push(`review ${plan.changes.map(({ before }) => before).join()}`);
      return Promise.resolve();
    },
    choose: (plan) => {
      whileChoosing();
      return Promise.resolve(plan.changes.map(({ name }) => name));
    },
    apply: (chosen) => {
      did.push(`apply ${chosen.map(({ name }) => name).join()}`);
      return Promise.resolve();
    },
  };
  const unused = {} as never;
  const table = resultCommands(unused, unused, window as ResultWindow, fill);
  const told: string[] = [];
  const run = (name: "reviewResult" | "applyResult"): Promise<unknown> =>
    runCommand(
      name,
      table[name],
      { from: "person", subject: { kind: "none" } },
      {
        t: fill,
        isTrusted: () => true,
        tell: (message) => void told.push(message),
        inform: (message) => void told.push(message),
        log: {
          trace: () => undefined,
          debug: () => undefined,
          info: () => undefined,
          warn: () => undefined,
          error: () => undefined,
        },
      },
    );
  return {
    did,
    told,
    run,
    table,
    edit: (name: string) => files.set(name, "edited by hand"),
    choosing: (then: () => void) => (whileChoosing = then),
  };
}

describe("Applying a reviewed result", () => {
  it("changes the files that are as they were when they were shown", async () => {
    const { run, did, told } = desk();
    await run("reviewResult");
    await run("applyResult");
    assert.deepEqual(did, ["review one,two", "apply a.js,b.js"]);
    assert.deepEqual(told, []);
  });

  it("changes nothing where one was edited since, says so, and shows the change as it would be now", async () => {
    const { run, did, told, edit } = desk();
    await run("reviewResult");
    edit("b.js");
    await run("applyResult");
    assert.deepEqual(did, ["review one,two", "review one,edited by hand"]);
    assert.match(told.join(), /b\.js was edited after this change was shown, so nothing was applied/);
    await run("applyResult");
    assert.equal(did.at(-1), "apply a.js,b.js", "what is shown again can be applied");
  });

  it("changes nothing where one was edited while the files were chosen", async () => {
    const { run, did, told, edit, choosing } = desk();
    choosing(() => edit("a.js"));
    await run("applyResult");
    assert.deepEqual(did, ["review edited by hand,two"]);
    assert.match(told.join(), /a\.js was edited/);
  });

  it("applies a file of several that is as it was shown, whatever became of the others", async () => {
    const { run, did, table, edit } = desk();
    await run("reviewResult");
    edit("b.js");
    await assert.rejects(table.applyResult.fromCode({ id, files: ["b.js"] }), /b\.js was edited/);
    assert.equal(did.length, 1, "nobody is shown what code asked for");
    await table.applyResult.fromCode({ id, files: ["a.js"] });
    assert.equal(did.at(-1), "apply a.js");
  });
});
