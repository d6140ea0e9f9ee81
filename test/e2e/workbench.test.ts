import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createSample } from "../support/sample.ts";
import type { Sample } from "../support/sample.ts";
import { Workbench } from "../support/workbench/workbench.ts";

describe("The extension in the workbench", () => {
  let folder: string;
  let sample: Sample;
  let workbench: Workbench;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "batch-control-e2e-"));
    sample = await createSample(folder);
    workbench = await Workbench.start();
  });

  after(async () => {
    await workbench.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it("shows its commands in the palette and runs one", async () => {
    const window = await workbench.open(sample.clone);
    await window.runCommand("Batch Control: Show Log");
    await window.page
      .locator(".part.panel .title-label", { hasText: "Output" })
      .or(window.page.locator(".panel .composite.title [aria-label^=Output]"))
      .first()
      .waitFor();
    const channel = window.page.locator(".part.panel select").first();
    assert.match(
      await channel.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.text ?? ""),
      /Batch Control/,
    );
  });
});
