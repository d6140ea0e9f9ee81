import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, realpath, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Translate } from "../../../../src/host/l10n.ts";
import { numbersIn } from "../../../../src/host/numbers.ts";
import { filesPointedAt, fitToSend, leftOutText } from "../../../../src/host/prompts/pointed-at.ts";
import { errorText } from "../../../../src/host/reason-words.ts";
import { fill, germanTexts } from "../../../support/host/translate.ts";

describe("What a prompt run is pointed at", () => {
  let root: string;
  const unsaved = new Map<string, string>();
  const at = (name: string): string => join(root, name);
  const around = { folders: () => [at("open"), at("tree")], unsaved: (path: string) => unsaved.get(path) };
  /** Through links, as the editor's own search goes. */
  const filesIn = async (folder: string): Promise<readonly string[]> => {
    const entries = await readdir(folder, { withFileTypes: true });
    const each = entries.map((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() || entry.name === "out" ? filesIn(path) : Promise.resolve([path]);
    });
    return (await Promise.all(each)).flat().sort();
  };
  const pointedAt = (names: readonly string[], t: Translate = fill) =>
    filesPointedAt(names.map(at), around, filesIn, numbersIn("en"), t);
  const saysOf = async (names: readonly string[], t: Translate = fill): Promise<string> =>
    pointedAt(names, t).then(
      () => assert.fail("It was taken."),
      (error: unknown) => errorText(error, t),
    );

  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), "batch-control-pointed-")));
    unsaved.clear();
    for (const folder of ["open/src", "open/empty", "tree", "secret"])
      await mkdir(at(folder), { recursive: true });
    await writeFile(at("open/src/a.js"), "let a;");
    await writeFile(at("open/picture.png"), Buffer.from([0x89, 0x50, 0, 1]));
    await writeFile(at("open/latin.txt"), Buffer.from([0x67, 0xfc, 0x6e]));
    await writeFile(at("open/huge.txt"), "");
    await truncate(at("open/huge.txt"), 5_000_000);
    await writeFile(at("tree/b.js"), "let b;");
    await writeFile(at("secret/key.txt"), "hunter2");
    await symlink(at("secret"), at("open/out"));
    await symlink(at("tree/b.js"), at("open/src/b.js"));
  });
  afterEach(() => rm(root, { recursive: true }));

  it("leaves out of a folder what holds no text or lies elsewhere, and counts it", async () => {
    const { files, leftOut } = await pointedAt(["open"]);
    assert.deepEqual(files, [at("open/src/a.js"), at("open/src/b.js")]);
    assert.equal(
      leftOutText(leftOut, numbersIn("en"), fill),
      "Left out, no text: 2. Left out, outside the open folders by a link: 1. Left out, too large or not to be read: 1.",
    );
  });

  it("leaves out the same of what a pattern finds, and says nothing where all can be sent", async () => {
    const all = ["open/src/a.js", "open/out/key.txt", "open/picture.png"].map(at);
    const found = await fitToSend(all, around);
    assert.deepEqual(found, {
      files: [at("open/src/a.js")],
      leftOut: { outside: 1, noText: 1, unreadable: 0 },
    });
    const { leftOut } = await fitToSend([at("open/src/a.js")], around);
    assert.equal(leftOutText(leftOut, numbersIn("en"), fill), "");
  });

  it("takes a file once that is pointed at with its folder, and what an editor holds as text", async () => {
    unsaved.set(at("open/latin.txt"), "text by now");
    const { files } = await pointedAt(["open/latin.txt", "open/src/a.js", "open/src"]);
    assert.deepEqual(files, ["open/latin.txt", "open/src/a.js", "open/src/b.js"].map(at));
  });

  it("refuses a file pointed at by itself that cannot be sent, by name", async () => {
    assert.match(await saysOf(["open/src", "open/picture.png"]), /open\/picture\.png is binary$/);
    assert.match(await saysOf(["open/latin.txt"]), /open\/latin\.txt is not UTF-8 text$/);
    assert.match(await saysOf(["open/out/key.txt"]), /open\/out\/key\.txt leads out of the open folders/);
    assert.match(
      await saysOf(["open/out/key.txt"], await germanTexts()),
      /open\/out\/key\.txt führt über einen Link aus den geöffneten Ordnern hinaus/,
    );
  });

  it("takes a prompt file from wherever a link leads, for it is what is to be done", async () => {
    await writeFile(at("secret/tidy.prompt.md"), "Tidy");
    assert.deepEqual((await pointedAt(["open/out/tidy.prompt.md"])).files, [at("open/out/tidy.prompt.md")]);
  });

  it("says in plain words that a file is gone, a folder holds none, and that none can be sent", async () => {
    assert.equal(
      await saysOf(["open/src/gone.js"]),
      "open/src/gone.js is not there any more, so nothing was queued.",
    );
    assert.equal(
      await saysOf(["open/src/gone.js"], await germanTexts()),
      "open/src/gone.js ist nicht mehr da, daher wurde nichts eingereiht.",
    );
    assert.equal(await saysOf(["open/empty"]), "open/empty holds no file, so nothing was queued.");
    assert.equal(
      await saysOf(["open/out"]),
      "No file was found that can be sent, so nothing was queued. Left out, outside the open folders by a link: 1.",
    );
  });
});
