import assert from "node:assert/strict";
import { Cancelled } from "../../../src/host/commands/cancelled.ts";
import type { AnyCommand, CommandTable } from "../../../src/host/commands/command.ts";
import { runPanelRequest } from "../../../src/host/panel-requests.ts";
import { idOf } from "../../support/panel/snapshots.ts";

/** Commands that write down how they were called. */
function commands({ refuse }: { readonly refuse?: Error } = {}): { table: CommandTable; calls: unknown[] } {
  const calls: unknown[] = [];
  const table = new Proxy({} as CommandTable, {
    get: (_, name): AnyCommand<unknown> => {
      const called =
        (how: string) =>
        (input: unknown): Promise<unknown> => {
          calls.push([name, how, input]);
          return refuse === undefined ? Promise.resolve(undefined) : Promise.reject(refuse);
        };
      const trusted = name === "flush";
      return { trusted, fromCode: called("code"), fromPerson: called("person"), fromView: called("view") };
    },
  });
  return { table, calls };
}
const trusted = { demandTrust: (): void => undefined, manageTrust: () => Promise.resolve() };

describe("What the panel's reader asks for", () => {
  it("is done as the command of that name, with what the panel says", async () => {
    const { table, calls } = commands();
    await runPanelRequest(table, { kind: "flush", side: "llm" }, trusted);
    await runPanelRequest(table, { kind: "pause" }, trusted);
    await runPanelRequest(table, { kind: "retryBatch", id: idOf(1) }, trusted);
    await runPanelRequest(table, { kind: "openChanges", id: idOf(2) }, trusted);
    assert.deepEqual(calls, [
      ["flush", "view", { kind: "llm" }],
      ["pause", "view", {}],
      ["retryBatch", "view", { id: idOf(1) }],
      ["openChanges", "view", { id: idOf(2) }],
    ]);
  });

  it("is asked on where the panel cannot know it, and may be given up", async () => {
    const { table, calls } = commands({ refuse: new Cancelled() });
    await runPanelRequest(table, { kind: "setApiKey" }, trusted);
    assert.deepEqual(calls, [["setApiKey", "person", { kind: "none" }]]);
  });

  it("asks where the history goes, and shows the editor's page on trust", async () => {
    const { table, calls } = commands();
    let shown = 0;
    const manageTrust = (): Promise<void> => {
      shown += 1;
      return Promise.resolve();
    };
    const demandTrust = (): void => {
      throw new Error("not trusted");
    };
    await runPanelRequest(table, { kind: "exportHistory" }, trusted);
    assert.deepEqual(calls, [["exportHistory", "person", { kind: "none" }]]);
    await runPanelRequest(table, { kind: "manageTrust" }, { demandTrust, manageTrust });
    assert.equal(shown, 1);
  });

  it("is refused where the workspace is not trusted, before anything is done", async () => {
    const { table, calls } = commands();
    const demandTrust = (): void => {
      throw new Error("not trusted");
    };
    await assert.rejects(
      runPanelRequest(table, { kind: "flush" }, { ...trusted, demandTrust }),
      /not trusted/,
    );
    assert.deepEqual(calls, []);
  });

  it("tells the panel why it could not be done", async () => {
    const { table } = commands({ refuse: new Error("It has started.") });
    await assert.rejects(
      runPanelRequest(table, { kind: "cancelOperation", id: idOf(1) }, trusted),
      /It has started/,
    );
  });
});
