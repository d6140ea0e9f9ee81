import assert from "node:assert/strict";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { ManifestReader } from "../support/host/manifest.ts";
import { root } from "../support/paths.ts";

const read = (file: string): Promise<string> => readFile(path.join(root, file), "utf8");

describe("The manifest", () => {
  let reader: ManifestReader;

  before(async () => {
    reader = await ManifestReader.read();
  });

  it("has the agreed identity", () => {
    assert.equal(reader.manifest.name, "batch-control");
    assert.equal(reader.manifest.publisher, "batch-control");
    assert.equal(reader.manifest.displayName, "Batch Control");
    assert.equal(reader.manifest.engines.vscode, "^1.125.0");
    assert.equal(reader.manifest.devDependencies["@types/vscode"], "1.125.0");
    assert.deepEqual(reader.manifest.extensionKind, ["workspace"]);
    assert.deepEqual(reader.manifest.categories, [
      "SCM Providers",
      "AI",
      "Machine Learning",
      "Visualization",
    ]);
  });

  it("activates by what it contributes and once after start, never on everything", () => {
    assert.deepEqual(reader.manifest.activationEvents, [
      "onStartupFinished",
      "onFileSystem:batch-control",
      "onFileSystem:batch-control-edit",
      "onFileSystem:batch-control-plan",
    ]);
  });

  it("shows the queue without trust, and takes no rule of git from a workspace that has none", () => {
    const { untrustedWorkspaces, virtualWorkspaces } = reader.manifest.capabilities;
    assert.equal(untrustedWorkspaces.supported, "limited");
    assert.deepEqual([...untrustedWorkspaces.restrictedConfigurations].sort(), [
      "batchControl.git.maxRefsPerPush",
      "batchControl.git.protectedBranches",
      "batchControl.git.verifyCommand",
      "batchControl.git.verifyPrepare",
    ]);
    assert.equal(virtualWorkspaces.supported, false);
    assert.ok(virtualWorkspaces.description);
  });

  it("has one container, with a tree and the panel's page in it", () => {
    const { viewsContainers, views: contributed } = reader.manifest.contributes;
    assert.deepEqual(Object.keys(viewsContainers), ["activitybar"]);
    assert.deepEqual(
      viewsContainers["activitybar"]?.map(({ id }) => id),
      ["batchControl"],
    );
    assert.deepEqual(
      Object.entries(contributed).map(([container, held]) => [
        container,
        held.map(({ id, type = "tree" }) => `${id} ${type}`),
      ]),
      [["batchControl", ["batchControl.queue tree", "batchControl.statsView webview"]]],
    );
  });

  it("has a text for every key and no text without one", async () => {
    const used = new Set([...(await read("package.json")).matchAll(/"%([\w.]+)%"/g)].map(([, key]) => key));
    assert.deepEqual([...used].sort(), Object.keys(reader.strings).sort());
    for (const [key, value] of Object.entries(reader.strings)) assert.ok(value.trim(), key);
  });

  it("links in welcome texts and walkthrough only to commands that exist", () => {
    const builtIn = new Set(["vscode.openFolder", "workbench.trust.manage"]);
    const texts = [
      ...reader.manifest.contributes.viewsWelcome.map(({ contents }) => contents),
      ...reader.manifest.contributes.walkthroughs.flatMap(({ steps }) =>
        steps.map(({ description }) => description),
      ),
    ];
    const linked = texts.flatMap((key) =>
      [...reader.text(key).matchAll(/command:([\w.]+)/g)].map(([, id]) => id ?? ""),
    );
    assert.ok(linked.length > 0);
    for (const id of linked) assert.ok(builtIn.has(id) || reader.commands().includes(id), id);
  });

  it("ticks the four steps of the walkthrough by what was done, not by a command that may have failed", () => {
    // The editor learns of a step when it first shows a walkthrough, and never ticks what is true by then: so each waits
    // for a change of the active editor, too.
    assert.deepEqual(
      reader.completionEvents(),
      ["queue", "ask", "flush", "panel"].flatMap((step) => [
        `onContext:batchControl.did.${step} && activeEditor == gettingStartedPage`,
        `onContext:batchControl.did.${step} && activeEditor != gettingStartedPage`,
      ]),
    );
  });

  it("welcomes in each empty state with what fits it, and never with what does not", () => {
    const state = { isWorkspaceTrusted: true, workspaceFolderCount: 1 };
    const cases: readonly [state: Readonly<Record<string, boolean | number>>, shown: readonly string[]][] = [
      [{ ...state, workspaceFolderCount: 0 }, ["noFolder"]],
      [{ ...state, "batchControl.noRepository": true }, ["noRepository"]],
      [{ ...state, isWorkspaceTrusted: false, "batchControl.noKey": true }, ["untrusted"]],
      [{ ...state, isWorkspaceTrusted: false, workspaceFolderCount: 0 }, ["untrusted"]],
      [{ ...state, "batchControl.noKey": true }, ["empty", "noKey"]],
      [{ ...state, workspaceFolderCount: 0, "batchControl.noKey": true }, ["noFolder", "noKey"]],
      [state, ["empty"]],
    ];
    for (const [keys, shown] of cases)
      assert.deepEqual(
        reader.manifest.contributes.viewsWelcome
          .filter(({ when }) => holds(when, keys))
          .map(({ contents }) => contents.replace(/^%welcome\.(.+)%$/, "$1")),
        shown,
        JSON.stringify(keys),
      );
    for (const { view } of reader.manifest.contributes.viewsWelcome)
      assert.ok(
        reader.views().some(({ id }) => id === view),
        view,
      );
  });

  it("names files that exist", async () => {
    const { viewsContainers, walkthroughs } = reader.manifest.contributes;
    const files = [
      reader.manifest.icon,
      ...Object.values(viewsContainers).flatMap((all) => all.map(({ icon }) => icon)),
      ...reader.views().flatMap(({ icon }) => (icon?.endsWith(".svg") ? [icon] : [])),
      ...walkthroughs.flatMap(({ steps }) => steps.map(({ media }) => media.svg)),
    ];
    for (const file of files) assert.ok((await stat(path.join(root, file))).size > 0, file);
  });

  it("draws the walkthrough in the theme's colours, in no language, with a text for whoever does not see it", async () => {
    for (const { media } of reader.manifest.contributes.walkthroughs.flatMap(({ steps }) => steps)) {
      const svg = await read(media.svg);
      assert.doesNotMatch(svg, /<text|#[0-9a-f]{3}|rgb|<script|<image|href/i, media.svg);
      const colours = [...svg.matchAll(/(?:fill|stroke)="([^"]*)"/g)].map(([, colour]) => colour ?? "");
      for (const colour of colours) assert.match(colour, /^(?:none$|var\(--vscode-)/, media.svg);
      assert.match(reader.text(media.altText), /\w{3}.*\.$/);
    }
  });

  it("has a square PNG of at least 256 pixels for a gallery, and an outline for the activity bar", async () => {
    const png = await readFile(path.join(root, reader.manifest.icon));
    assert.equal(png.subarray(1, 4).toString("latin1"), "PNG");
    const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
    assert.ok(width >= 256 && width === height, `${width} x ${height}`);
    const svg = await read(reader.manifest.contributes.viewsContainers["activitybar"]![0]!.icon);
    assert.match(svg, /viewBox="0 0 24 24"/);
    assert.match(svg, /fill="none"/);
  });
});

/** As the editor reads a clause of `key`, `!key`, `key == n` and `key != n` joined by `&&`. */
function holds(when: string, keys: Readonly<Record<string, boolean | number>>): boolean {
  return when.split(" && ").every((term) => {
    const [, not, key = "", operator, value] =
      /^(!?)([\w.]+)(?: (==|!=) (\d+))?$/.exec(term) ?? assert.fail(term);
    if (operator === undefined) return Boolean(keys[key]) !== (not === "!");
    return (keys[key] === Number(value)) === (operator === "==");
  });
}
