import assert from "node:assert/strict";
import type { Frame, Page } from "playwright-core";
import german from "../../l10n/bundle.l10n.de.json" with { type: "json" };
import { useSampleWorkbench } from "../support/workbench/fixtures.ts";
import { until } from "../support/workbench/until.ts";
import type { WorkbenchWindow } from "../support/workbench/window.ts";

const texts: Readonly<Record<string, string>> = german;
/** Everything that German says in other words. */
const isEnglish = (text: string): boolean => texts[text] !== undefined && texts[text] !== text;

describe("A German window", () => {
  const fixture = useSampleWorkbench({
    locale: "de",
    settings: { "batchControl.git.protectedBranches": ["main"], "batchControl.git.autoFlush": false },
    env: { ANTHROPIC_API_KEY: undefined, OPENAI_API_KEY: undefined },
  });
  let window: WorkbenchWindow;
  const run = <Answer>(name: string, argument: unknown): Promise<Answer> =>
    window.bridge.command<Answer>(`batchControl.${name}`, argument);

  before(async () => {
    window = await fixture.workbench.open(fixture.sample.workspace);
    await window.openViewContainer("Batch Control");
  });

  it("welcomes in German, and names its commands so", async () => {
    const queue = window.view("Warteschlange");
    await until("the welcome text", async () => (await queue.welcome()).includes("API-Schlüssel festlegen"));
    await window.runCommand("Batch Control: LLM-Anfrage einreihen");
    await window.quickInput.shown("Art der Arbeit");
    await window.quickInput.cancel();
  });

  it("draws the tree in German, days and times included", async () => {
    const { path: worktree, files, branch } = fixture.sample.worktrees[0]!;
    await run("enqueueCommit", { worktree, message: "Erste Änderung", files });
    await run("flush", { kind: "git", wait: true });
    await run("enqueuePush", { worktree, branch });
    await run("enqueueRequest", { type: "judge", model: "claude-haiku-4-5", prompt: "Ist das gut?" });
    const queue = window.view("Warteschlange");
    for (const label of ["LLM-Anfragen", "Eingereiht", "Beendet"]) await queue.waitForRow(label);
    await queue.expand("Beendet");
    await queue.waitForRow(/^(Mo|Di|Mi|Do|Fr|Sa|So)\., .*20\d\d$/);
    const shown = (await queue.rows()).flatMap(({ label, description }) => [label, description]);
    assert.deepEqual(shown.filter(isEnglish), []);
  });

  it("tells in German what is missing, and offers the remedy", async () => {
    await window.runCommand("Batch Control: Jetzt ausführen");
    const told = await window.notifications.waitFor("Es ist kein API-Schlüssel festgelegt.");
    assert.deepEqual(told.buttons, ["API-Schlüssel festlegen"]);
    await window.notifications.dismissAll();
  });

  it("asks and refuses in German", async () => {
    const { quickInput, notifications } = window;
    await window.runCommand("Batch Control: Push einreihen");
    await quickInput.shown("Worktree");
    await quickInput.pick("main");
    await quickInput.shown("Welcher Branch");
    await quickInput.pick("main");
    await until("the question", async () =>
      /main ist durch das Muster main .* geschützt/.test(await notifications.dialog()),
    );
    await notifications.pressInDialog("Cancel");
    await window.runCommand("Batch Control: Stapel abbrechen");
    await notifications.waitFor("Es gibt keinen anstehenden oder laufenden Stapel zum Abbrechen.");
    await notifications.dismissAll();
  });

  it("shows the panel in German, wide and narrow, with nothing cut off", async () => {
    await window.runCommand("Batch Control: Panel öffnen");
    await window.bridge.command("batchControl.statsView.focus");
    const panels = await until("both pages", async () => {
      const found = await panelsOf(window.page);
      return found.length === 2 ? found : undefined;
    });
    for (const panel of panels) {
      await panel.getByText("Einsparungen").first().waitFor();
      const { texts: shown, cutOff } = await panel.evaluate(look);
      assert.ok(shown.length > 30, shown.join("\n"));
      assert.deepEqual(shown.filter(isEnglish), []);
      assert.deepEqual(cutOff, []);
    }
  });
});

async function panelsOf(page: Page): Promise<Frame[]> {
  const found: Frame[] = [];
  for (const frame of page.frames()) {
    // A frame may go away while it is asked.
    const count = await frame
      .locator("batch-control-panel")
      .count()
      .catch(() => 0);
    if (count > 0) found.push(frame);
  }
  return found;
}

/** In a panel: every text that it shows, and of these what does not fit into its place. */
function look(): { texts: string[]; cutOff: string[] } {
  const found: { texts: string[]; cutOff: string[] } = { texts: [], cutOff: [] };
  const visit = (root: Node): void => {
    if (root instanceof Element) {
      const hidden = getComputedStyle(root).display === "none" || root.classList.contains("hidden");
      if (hidden || root.localName === "style") return;
      if (root.shadowRoot) visit(root.shadowRoot);
      const own = [...root.childNodes]
        .filter((node) => node instanceof Text)
        .map(({ data }) => data.trim())
        .filter((text) => text !== "");
      found.texts.push(...own);
      // A path or a message that was typed may be shortened; it is then whole in the hover.
      const shortened = root.closest("[title]") !== null;
      if (own.length > 0 && !shortened && root.scrollWidth > root.clientWidth && root.clientWidth > 0)
        found.cutOff.push(own.join(" "));
    }
    for (const child of root.childNodes) visit(child);
  };
  visit(document.body);
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > innerWidth) found.cutOff.push(`the page: ${scrollWidth} px in ${innerWidth} px`);
  return found;
}
