import assert from "node:assert/strict";
import { InputError, StateError } from "../../../src/core/errors.ts";
import { callOf } from "../../../src/host/commands/caller.ts";
import { Cancelled } from "../../../src/host/commands/cancelled.ts";
import { HeldError } from "../../../src/host/commands/held-error.ts";
import { define } from "../../../src/host/commands/command.ts";
import { runCommand } from "../../../src/host/commands/funnel.ts";
import type { Remedy } from "../../../src/host/commands/funnel.ts";
import { NothingToDo } from "../../../src/host/commands/nothing-to-do.ts";
import { MemoryLog } from "../../support/core/memory-log.ts";
import { fill } from "../../support/host/translate.ts";

function funnel(failure?: Error, trusted = true) {
  const log = new MemoryLog();
  const told: { message: string; remedies: readonly Remedy[] }[] = [];
  const informed: string[] = [];
  let runs = 0;
  const command = define({
    trusted: true,
    parse: (input) => input,
    ask: () => (failure ? Promise.reject(failure) : Promise.resolve({})),
    run: () => {
      runs += 1;
      return failure ? Promise.reject(failure) : Promise.resolve("answer");
    },
  });
  const call = (...args: unknown[]) =>
    runCommand("flush", command, callOf(args), {
      log,
      t: fill,
      isTrusted: () => trusted,
      tell: (message, remedies) => told.push({ message, remedies }),
      inform: (message) => informed.push(message),
    });
  return { call, log, told, informed, runs: () => runs };
}

describe("The error funnel", () => {
  it("passes an answer on, to code and to a person", async () => {
    const { call, told } = funnel();
    assert.equal(await call({}), "answer");
    assert.equal(await call(), "answer");
    assert.deepEqual(told, []);
  });

  it("rejects to code with the very error and shows nothing", async () => {
    const error = new InputError("message", "is empty");
    const { call, told } = funnel(error);
    await assert.rejects(call({}), error);
    assert.deepEqual(told, []);
  });

  it("rejects to code that passes what is no input, and does nothing", async () => {
    const { call, told, runs } = funnel();
    for (const mistake of [[], new Map(), new Date(0), Object.create({ kind: "llm" })])
      await assert.rejects(call(mistake), /^InputError: argument: must be an object literal/);
    assert.deepEqual([told, runs()], [[], 0]);
  });

  it("names nothing to a person by a field of code, and takes an empty answer for no error", async () => {
    const empty = funnel(new StateError("no-changes", "id: this answer holds no file."));
    await empty.call();
    assert.deepEqual([empty.informed, empty.told], [["This answer holds no file."], []]);
    const gone = funnel(new StateError("not-found", "id: there is no operation x"));
    await gone.call();
    assert.deepEqual(gone.told, [{ message: "There is no operation x", remedies: ["showLog"] }]);
    await assert.rejects(gone.call({}), /^StateError: id: there is no operation x/);
  });

  it("informs a person where there is nothing to do, which is no error", async () => {
    const { call, told, informed } = funnel(new NothingToDo("There is no batch to cancel."));
    assert.equal(await call(), undefined);
    assert.deepEqual(informed, ["There is no batch to cancel."]);
    assert.deepEqual(told, []);
  });

  it("tells a person and does not reject, for the editor would show it twice", async () => {
    const { call, told } = funnel(new InputError("message", "is empty"));
    assert.equal(await call(), undefined);
    assert.deepEqual(told, [{ message: "message: is empty", remedies: [] }]);
  });

  it("is quiet when a person dismisses a question", async () => {
    const { call, told, log } = funnel(new Cancelled());
    assert.equal(await call(), undefined);
    assert.deepEqual(told, []);
    assert.deepEqual(log.lines, []);
  });

  it("offers what mends it: a key, trust, else the log", async () => {
    const remedyFor = async (error: Error) => {
      const { call, told } = funnel(error);
      await call();
      return told[0]?.remedies;
    };
    assert.deepEqual(await remedyFor(new HeldError({ kind: "llm", reason: "no-key" }, "no key")), [
      "setApiKey",
    ]);
    assert.deepEqual(await remedyFor(new StateError("not-found", "gone")), ["showLog"]);
    assert.deepEqual(await remedyFor(new Error("boom")), ["showLog"]);
  });

  it("logs the stack only of what nobody expected", async () => {
    const expected = funnel(new StateError("not-found", "gone"));
    await expected.call();
    assert.deepEqual(expected.log.lines, ["info batchControl.flush: gone"]);
    const unexpected = funnel(new Error("boom"));
    await unexpected.call();
    assert.match(unexpected.log.lines.join("\n"), /^error batchControl\.flush failed\. Error: boom\n\s+at /);
  });

  it("refuses without trust, naming trust, before anything runs", async () => {
    const { call, told, runs } = funnel(undefined, false);
    await assert.rejects(
      call({}),
      (error: StateError) => error.reason === "untrusted" && error.message.includes("trust"),
    );
    await call();
    assert.equal(told.length, 1);
    assert.deepEqual(told[0]?.remedies, ["manageTrust"]);
    assert.equal(runs(), 0);
  });
});
