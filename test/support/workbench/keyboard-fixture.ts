import assert from "node:assert/strict";
import type { Snapshot } from "../../../src/core/snapshot.ts";
import type { Sample } from "../sample.ts";
import { ButtonsByKeyboard } from "./buttons-by-keyboard.ts";
import { useDemoWorkbench } from "./fixtures.ts";
import type { DemoWorkbench } from "./fixtures.ts";
import { pointerUsed, watchPointer } from "./focus.ts";
import { Keyboard } from "./keyboard.ts";
import { QueueByKeyboard } from "./queue-by-keyboard.ts";
import { until } from "./until.ts";
import type { WorkbenchWindow } from "./window.ts";
import type { WorkbenchOptions } from "./workbench.ts";

/** One window and someone in it without a mouse. */
export interface KeyboardDesk extends DemoWorkbench {
  readonly window: WorkbenchWindow;
  readonly keys: Keyboard;
  readonly queue: QueueByKeyboard;
  readonly buttons: ButtonsByKeyboard;
  readonly state: () => Promise<Snapshot>;
  /** Runs one of the extension's commands as code does, to prepare what the keyboard is then used on. */
  readonly run: <Answer>(name: string, argument: unknown) => Promise<Answer>;
  readonly clipboard: () => Promise<string>;
  /** The path of the document in the active text editor. */
  readonly shownPath: () => Promise<string>;
  /** The text of the document in the active text editor. */
  readonly shownText: () => Promise<string>;
}

/** As `useDemoWorkbench`, with a window on the sample that shows the queue. A test in which a pointer was used fails. */
export function useKeyboard(options: WorkbenchOptions = {}): KeyboardDesk {
  const fixture = useDemoWorkbench(options);
  let window: WorkbenchWindow;
  let keys: Keyboard;
  const run = <Answer>(name: string, argument: unknown): Promise<Answer> =>
    window.bridge.command<Answer>(`batchControl.${name}`, argument);

  before(async () => {
    window = await fixture.workbench.open(fixture.sample.workspace);
    await window.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    keys = new Keyboard(window);
    // A view that has never been shown is not there yet to take the focus.
    await keys.command("Batch Control: Focus on Queue View");
    await until("the queue", async () => (await window.view("Queue").welcome()) !== "");
    await watchPointer(window.page);
  });

  afterEach(async () => {
    assert.equal(await pointerUsed(window.page), false);
  });

  return {
    get sample(): Sample {
      return fixture.sample;
    },
    get workbench() {
      return fixture.workbench;
    },
    get simulator() {
      return fixture.simulator;
    },
    get window() {
      return window;
    },
    get keys() {
      return keys;
    },
    get queue() {
      return new QueueByKeyboard(window, keys);
    },
    get buttons() {
      return new ButtonsByKeyboard(window, keys);
    },
    run,
    state: () => run<Snapshot>("getState", {}),
    clipboard: () => window.bridge.evaluate(({ vscode }) => vscode.env.clipboard.readText()),
    shownPath: () =>
      window.bridge.evaluate(({ vscode }) => vscode.window.activeTextEditor?.document.uri.path ?? ""),
    shownText: () =>
      window.bridge.evaluate(({ vscode }) => vscode.window.activeTextEditor?.document.getText() ?? ""),
  };
}
