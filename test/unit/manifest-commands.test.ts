import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { ManifestReader } from "../support/host/manifest.ts";
import { root } from "../support/paths.ts";

/** Not capitalised within a title. */
const smallWords = ["a", "at", "from", "of", "on", "to"];

describe("The commands of the manifest", () => {
  let reader: ManifestReader;

  before(async () => {
    reader = await ManifestReader.read();
  });

  it("declares exactly the commands that the code has", async () => {
    const answers = /export interface Answers \{([^}]*\{[^}]*\}[^}]*|[^}])*\n\}/.exec(
      await readFile(path.join(root, "src/host/commands/command.ts"), "utf8"),
    );
    const names = [...(answers?.[0] ?? "").matchAll(/^ {2}(\w+): /gm)].map(
      ([, name]) => `batchControl.${name ?? ""}`,
    );
    assert.ok(names.length >= 20, "the table of commands was not found");
    assert.deepEqual([...reader.commands()].sort(), names.sort());
  });

  it("names every command in title case under one category", () => {
    for (const { command, category, title } of reader.manifest.contributes.commands) {
      assert.match(command, /^batchControl\.[a-z][A-Za-z]*$/);
      assert.equal(category, "Batch Control");
      const [first, ...rest] = reader.text(title).split(" ");
      for (const word of [first ?? "", ...rest.filter((each) => !smallWords.includes(each))])
        assert.match(word, /^[A-Z]\w*$/, reader.text(title));
    }
  });

  it("greys out only what would have nothing to act on, and never what queues", () => {
    const greyed = reader.manifest.contributes.commands.flatMap(({ command, enablement }) =>
      enablement === undefined ? [] : [[command.replace("batchControl.", ""), enablement]],
    );
    assert.deepEqual(greyed, [
      ["flush", "batchControl.hasWaiting"],
      ["previewFlush", "batchControl.hasWaiting"],
      ["pause", "!batchControl.paused"],
      ["clear", "batchControl.hasWaiting"],
    ]);
  });

  it("has cancelling not look like closing: in an editor's title it stands below the tab's own cross", () => {
    for (const { command, icon } of reader.manifest.contributes.commands)
      assert.doesNotMatch(icon ?? "", /close/, command);
  });

  it("takes few keys, all behind one prefix, none of them in a terminal, and only for what may then be done", () => {
    const { keybindings } = reader.manifest.contributes;
    assert.deepEqual(
      keybindings.map(({ command, key }) => [command.replace("batchControl.", ""), key]),
      [
        ["enqueueCommit", "ctrl+k b c"],
        ["enqueueMerge", "ctrl+k b m"],
        ["enqueuePush", "ctrl+k b p"],
        ["enqueueRequest", "ctrl+k b r"],
        ["previewFlush", "ctrl+k b f"],
        ["openPanel", "ctrl+k b s"],
      ],
    );
    for (const { command, key, mac, when } of keybindings) {
      assert.ok(reader.commands().includes(command), command);
      assert.equal(mac, key.replace("ctrl", "cmd"));
      const terms = when.split(" && ");
      assert.ok(terms.includes("!terminalFocus"), command);
      // Looking needs no trust.
      assert.equal(terms.includes("isWorkspaceTrusted"), command !== "batchControl.openPanel", command);
    }
  });

  it("puts flush and pause in front, one entry into Source Control's title, and no command everywhere", () => {
    const { commandPalette: _palette, ...menus } = reader.manifest.contributes.menus;
    const inFront = menus["view/title"]?.filter(({ group }) => group?.startsWith("navigation"));
    assert.deepEqual(
      inFront?.map(({ command }) => command?.replace("batchControl.", "")),
      ["flush", "pause", "resume", "openPanel"],
    );
    assert.deepEqual(
      menus["scm/title"]?.map(({ when }) => when),
      ["scmProvider == git"],
    );
    for (const command of reader.commands()) {
      const places = Object.entries(menus).filter(([, items]) =>
        items.some((item) => item.command === command),
      );
      assert.ok(places.length < 5, `${command}: ${places.map(([menu]) => menu).join(", ")}`);
    }
    const inline = menus["view/item/context"]?.filter(({ group }) => group?.startsWith("inline"));
    for (const name of ["retryOperation", "retryBatch", "cancelRow", "cancelBatch"])
      assert.ok(
        inline?.some(({ command }) => command === `batchControl.${name}`),
        name,
      );
  });

  it("keeps from the palette what only code or a row can use, and nothing else", () => {
    const hidden = reader.manifest.contributes.menus["commandPalette"]
      ?.filter(({ when }) => when === "false")
      .map(({ command }) => command);
    assert.deepEqual(hidden, [
      "batchControl.getResult",
      "batchControl.getOperations",
      "batchControl.getState",
      "batchControl.moveUp",
      "batchControl.moveDown",
      "batchControl.copyId",
      "batchControl.cancelRow",
      "batchControl.showMore",
      "batchControl.cancelPlace",
    ]);
  });

  it("offers in menus only commands that exist, and no command twice in one group of a menu", () => {
    for (const [menu, items] of Object.entries(reader.manifest.contributes.menus)) {
      const seen = new Set<string>();
      for (const { command, submenu, group, when } of items) {
        if (submenu !== undefined) continue;
        assert.ok(
          command !== undefined && reader.commands().includes(command),
          `${menu}: ${command ?? "nothing"}`,
        );
        assert.ok(when, `${menu}: ${command} shows everywhere`);
        const place = `${command} ${group ?? ""}`;
        assert.ok(!seen.has(place), `${menu}: ${place}`);
        seen.add(place);
      }
    }
  });

  it("offers for several rows what can be done to the operations among them, whatever rows lie between", () => {
    // The editor shows of the menus of all selected rows what they have in common.
    const offered = (rows: readonly string[], several: boolean): readonly string[] =>
      (reader.manifest.contributes.menus["view/item/context"] ?? [])
        .filter(({ group }) => group?.startsWith("inline") !== true)
        .filter(({ when }) => rows.every((row) => isShown(when, row, several)))
        .map(({ command }) => command!.replace("batchControl.", ""));
    const common = (...rows: readonly string[]): readonly string[] => offered(rows, true);
    const queued = ["operation.queued.commit", "place.git", "operation.queued.push"];
    assert.deepEqual(common(...queued), ["moveOperation", "moveUp", "moveDown", "cancelOperation"]);
    assert.deepEqual(
      common(...queued, "section.queued.llm", "side.llm.running", "operation.queued.request"),
      ["moveOperation", "moveUp", "moveDown", "cancelOperation"],
    );
    const pending = common("operation.pending.push", "batch.pending.git", "operation.pending.merge");
    assert.ok(pending.includes("cancelOperation"), pending.join());
    assert.ok(
      common(
        "operation.failed.merge",
        "operation.succeeded.commit",
        "batch.failed.git.unsuccessful.top",
        "operation.cancelled.push",
      ).includes("retryOperation"),
    );
    const ofOne = (row: string): readonly string[] => offered([row], false);
    assert.deepEqual(ofOne("place.git"), [
      "openWorktree",
      "cancelPlace",
      "enqueueCommit",
      "enqueuePush",
      "enqueueMerge",
    ]);
    assert.deepEqual(ofOne("place.llm"), ["cancelPlace"]);
    assert.deepEqual(ofOne("section.failed.git"), ["retryFailed", "dismissFailed"]);
    for (const row of ["section.finished.git", "section.finished.llm", "day"])
      assert.deepEqual(ofOne(row), ["openPanel", "exportHistory"]);
    assert.ok(ofOne("batch.failed.git.unsuccessful.top").includes("dismissFailed"));
    assert.ok(!ofOne("batch.failed.git.unsuccessful").includes("dismissFailed"));
  });

  it("gives inline actions an icon", () => {
    const inline = reader.manifest.contributes.menus["view/item/context"]?.filter(({ group }) =>
      group?.startsWith("inline"),
    );
    for (const { command } of inline ?? [])
      assert.ok(reader.manifest.contributes.commands.find((each) => each.command === command)?.icon, command);
  });

  it("uses only context keys that the code sets", () => {
    const texts = [
      ...Object.values(reader.manifest.contributes.menus).flatMap((items) =>
        items.map(({ when }) => when ?? ""),
      ),
      ...reader.manifest.contributes.commands.map(({ enablement }) => enablement ?? ""),
      ...reader.manifest.contributes.viewsWelcome.map(({ when }) => when),
      ...reader.completionEvents().map((event) => event.replace(/^onContext:/, "")),
    ];
    const ids = new Set([...reader.commands(), ...reader.views().map(({ id }) => id)]);
    const keys = texts.flatMap((when) => [...when.matchAll(/batchControl\.[A-Za-z.]+/g)].map(([key]) => key));
    for (const key of keys.filter((each) => !ids.has(each)))
      assert.match(
        reader.source,
        new RegExp(`contextKeys\\.set\\(\\s*"${key.slice("batchControl.".length)}"`),
        key,
      );
  });
});

/** Every entry of a row's menu hangs on the kind of the row, some only where several rows are selected. */
function isShown(when: string | undefined, row: string, several: boolean): boolean {
  const terms = [
    ...(when ?? "").matchAll(/(listMultiSelection && )?viewItem (?:=~ \/(.+?)\/(?=[\s)]|$)|== (\S+))/g),
  ];
  assert.ok(terms.length > 0, when);
  return terms.some(
    ([, multi, pattern, exact]) =>
      (multi === undefined || several) &&
      (pattern === undefined ? row === exact : new RegExp(pattern.replaceAll("\\/", "/")).test(row)),
  );
}
