import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { planChanges } from "../../../../src/host/results/changes.ts";
import type { PlanDeps } from "../../../../src/host/results/changes.ts";
import { nameIn } from "../../../../src/host/folder-names.ts";
import { proposalsOf } from "../../../../src/host/results/proposals.ts";
import { resolveInside } from "../../../../src/host/results/safe-path.ts";
import { fill } from "../../../support/host/translate.ts";

let root: string;
const at = (...names: string[]): string => join(root, ...names);

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "batch-control-changes-")));
  await mkdir(at("shop", "src"), { recursive: true });
  await mkdir(at("other"));
  await mkdir(at("outside"));
  await writeFile(at("shop", "src", "a.js"), "let a;\nlet z;\n");
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe("A path that an answer names", () => {
  it("is taken within the open folder, whether or not it exists", async () => {
    for (const path of ["src/a.js", "./src/a.js", "src\\a.js"])
      assert.deepEqual(await resolveInside(path, [at("shop")]), {
        kind: "inside",
        root: at("shop"),
        path: at("shop", "src", "a.js"),
      });
    assert.equal((await resolveInside("new/deep/b.js", [at("shop")])).kind, "inside");
    assert.equal((await resolveInside("..a/...b.js", [at("shop")])).kind, "inside");
  });

  const refused: readonly (readonly [string, string])[] = [
    ["", "empty"],
    ["./", "empty"],
    ["a\0b", "empty"],
    ["/etc/passwd", "absolute"],
    ["\\\\server\\share", "absolute"],
    ["C:\\x.js", "absolute"],
    ["c:x.js", "absolute"],
    ["~/.bashrc", "absolute"],
    ["..", "climbs"],
    ["src/../../outside/x.js", "climbs"],
    ["src\\..\\..\\x.js", "climbs"],
    [".git/hooks/pre-commit", "git-folder"],
    ["sub/.GIT/config", "git-folder"],
    [".git./x", "git-folder"],
    [".git /hooks/x", "git-folder"],
    ["git~1/config", "git-folder"],
    ["sub/GIT~1/config", "git-folder"],
    [".git::$INDEX_ALLOCATION/x", "git-folder"],
    [".g\u200cit/config", "git-folder"],
    ["src/a.js/i.js", "through-file"],
    ["src/a.js/deep/i.js", "through-file"],
    ["src", "folder"],
    ["src/", "folder"],
    ["new/", "folder"],
    [".//src/../x", "climbs"],
    ["a\x07\x1b[31mb", "invisible"],
    ["a\u202egpj.exe", "invisible"],
    ["src/a\u200b.js", "invisible"],
    ["a\u{e0061}.js", "invisible"],
    ["a\u200d.js", "invisible"],
    [`${"x".repeat(300)}.js`, "too-long"],
    ["link.js/x", "outside"],
    ["out/x.js", "outside"],
    ["out", "outside"],
    ["link.js", "outside"],
    ["dangling.js", "outside"],
    ["within/deep/../../../x", "climbs"],
  ];
  for (const [path, reason] of refused)
    it(`is refused as ${JSON.stringify(path)}: ${reason}`, async () => {
      await writeFile(at("outside", "x.js"), "");
      await symlink(at("outside"), at("shop", "out"));
      await symlink(at("outside", "x.js"), at("shop", "link.js"));
      await symlink(at("outside", "not-yet.js"), at("shop", "dangling.js"));
      assert.deepEqual(await resolveInside(path, [at("shop")]), { kind: "refused", reason });
    });

  it("may pass a link that stays inside, and a folder that is itself reached by one", async () => {
    await symlink(at("shop", "src"), at("shop", "code"));
    await symlink(at("shop"), at("entrance"));
    assert.equal((await resolveInside("code/a.js", [at("shop")])).kind, "inside");
    assert.equal((await resolveInside("src/a.js", [at("entrance")])).kind, "inside");
  });

  it("may hold what a script or an emoji needs", async () => {
    for (const path of ["می\u200cخواهم.md", "❤\ufe0f.md", "हिन्दी.md", ".//src//b.js"])
      assert.equal((await resolveInside(path, [at("shop")])).kind, "inside", path);
  });

  it("is the path of what a link leads to, so that one file has one path", async () => {
    await symlink(at("shop", "src"), at("shop", "code"));
    await symlink("a.js", at("shop", "src", "same.js"));
    for (const path of ["code/a.js", "code/same.js", "src/same.js"])
      assert.deepEqual(await resolveInside(path, [at("shop")]), {
        kind: "inside",
        root: at("shop"),
        path: at("shop", "src", "a.js"),
      });
  });

  it("is refused where a link leads to git's own files, by whatever name they go", async () => {
    for (const store of [at("shop", ".git"), at("shop", "store")]) {
      for (const folder of ["objects", "refs", "hooks"])
        await mkdir(join(store, folder), { recursive: true });
      await writeFile(join(store, "HEAD"), "ref: refs/heads/main\n");
    }
    await symlink(".git", at("shop", "meta"));
    await symlink(join(".git", "hooks"), at("shop", "hooks"));
    await symlink(join(".git", "HEAD"), at("shop", "head.txt"));
    for (const path of [
      "meta/hooks/post-commit",
      "hooks/post-commit",
      "head.txt",
      "store/hooks/pre-push",
      "store/x",
    ])
      assert.deepEqual(
        await resolveInside(path, [at("shop")]),
        { kind: "refused", reason: "git-folder" },
        path,
      );
  });

  it("is not mistaken for inside by a folder whose name begins the same", async () => {
    await mkdir(at("shop-two"));
    await symlink(at("shop-two"), at("shop", "two"));
    assert.deepEqual(await resolveInside("two/x.js", [at("shop")]), { kind: "refused", reason: "outside" });
  });

  it("finds its folder by preference, by name, or by where the file is; else it is refused", async () => {
    const folders = [at("other"), at("shop")];
    const folderOf = async (path: string, preferred?: string) => {
      const found = await resolveInside(path, folders, preferred);
      return found.kind === "inside" ? found.root : found.reason;
    };
    assert.equal(await folderOf("src/a.js"), at("shop"));
    assert.equal(await folderOf("other/b.js"), at("other"));
    assert.equal(await folderOf("b.js"), "ambiguous");
    assert.equal(await folderOf("b.js", at("other")), at("other"));
    assert.deepEqual(await resolveInside("a.js", []), { kind: "refused", reason: "no-folder" });
  });
});

describe("A plan of changes", () => {
  const read = (path: string): Promise<string | undefined> => readFile(path, "utf8").catch(() => undefined);
  const plan = async (answer: string, deps: Partial<PlanDeps> = {}, original?: string) => {
    const { changes, refused } = await planChanges(proposalsOf(answer, original), {
      folders: [at("shop")],
      read,
      t: fill,
      ...deps,
    });
    return {
      changes: changes.map(({ name, before, after }) => [name, before, after]),
      refused: refused.map(({ name, reason }) => `${name}: ${reason}`),
    };
  };
  const before = "let a;\nlet z;\n";

  it("applies a diff to the file as it is", async () => {
    const answer = "--- a/src/a.js\n+++ b/src/a.js\n@@ -1,2 +1,2 @@\n-let a;\n+let b;\n let z;\n";
    assert.deepEqual(await plan(answer), {
      changes: [["src/a.js", before, "let b;\nlet z;\n"]],
      refused: [],
    });
  });

  it("refuses a diff that does not fit, also one that deletes, and one that makes a file that is there", async () => {
    const unfit = "--- a/src/a.js\n+++ b/src/a.js\n@@ -1 +1 @@\n-let q;\n+let b;\n";
    const made = "--- /dev/null\n+++ b/src/a.js\n@@ -0,0 +1 @@\n+let n;\n";
    const otherFile = "--- a/src/a.js\n+++ /dev/null\n@@ -1 +0,0 @@\n-old stuff\n";
    const halfOfIt = "--- a/src/a.js\n+++ /dev/null\n@@ -1 +0,0 @@\n-let a;\n";
    const unseen = "diff --git a/src/a.js b/src/a.js\ndeleted file mode 100644\n";
    for (const deletion of [otherFile, halfOfIt, unseen])
      assert.deepEqual(await plan(deletion), {
        changes: [],
        refused: ["src/a.js: the diff does not fit the file as it is now"],
      });
    assert.deepEqual(await plan(unfit), {
      changes: [],
      refused: ["src/a.js: the diff does not fit the file as it is now"],
    });
    assert.deepEqual(await plan(made), {
      changes: [],
      refused: ["src/a.js: the diff makes a new file, but there is one already"],
    });
  });

  it("makes new files, replaces others, deletes, and leaves out what would change nothing", async () => {
    await writeFile(at("shop", "same.js"), "same\n");
    await writeFile(at("shop", "gone.js"), "gone\n");
    const answer = [
      "```js new/n.js\nlet n;\n```",
      "```js src/a.js\nlet c;\n```",
      "```js same.js\nsame\n```",
      "```diff\n--- a/gone.js\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n```",
      "```diff\n--- a/never.js\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n```",
    ].join("\n");
    assert.deepEqual(await plan(answer), {
      changes: [
        ["new/n.js", undefined, "let n;\n"],
        ["src/a.js", before, "let c;\n"],
        ["gone.js", "gone\n", undefined],
      ],
      refused: ["never.js: there is no such file to delete"],
    });
  });

  it("puts two diffs of one file on top of each other", async () => {
    const answer =
      "--- a/src/a.js\n+++ b/src/a.js\n@@ -1 +1 @@\n-let a;\n+let b;\n" +
      "--- a/src/a.js\n+++ b/src/a.js\n@@ -1,2 +1,2 @@\n let b;\n-let z;\n+let y;\n";
    assert.deepEqual((await plan(answer)).changes, [["src/a.js", before, "let b;\nlet y;\n"]]);
  });

  it("keeps the line ends of a file", async () => {
    await writeFile(at("shop", "w.js"), "one\r\ntwo\r\n");
    assert.deepEqual((await plan("```js w.js\none\nthree\n```")).changes, [
      ["w.js", "one\r\ntwo\r\n", "one\r\nthree\r\n"],
    ]);
  });

  it("is the file that was asked about, in its own folder", async () => {
    await writeFile(at("other", "a.js"), "other\n");
    const subject = { path: at("shop", "src", "a.js"), folder: at("shop") };
    const folders = [at("other"), at("shop")];
    assert.deepEqual((await plan("```js\nlet c;\n```", { subject, folders }, before)).changes, [
      ["shop/src/a.js", before, "let c;\n"],
    ]);
    assert.deepEqual((await plan("```js new.js\nlet n;\n```", { subject, folders }, before)).changes, [
      ["shop/new.js", undefined, "let n;\n"],
    ]);
  });

  it("says why a path is refused, and goes on with the others", async () => {
    const answer = "```js ../x.js\nx\n```\n```js /etc/x.js\nx\n```\n```js ok.js\nx\n```";
    assert.deepEqual(await plan(answer), {
      changes: [["ok.js", undefined, "x\n"]],
      refused: ["../x.js: its path leaves the folder", "/etc/x.js: its path is absolute"],
    });
  });

  it("says that a part of a path is a file, and that a folder is none", async () => {
    assert.deepEqual(await plan("```js src/a.js/i.js\nx\n```\n```js ./src\nx\n```"), {
      changes: [],
      refused: [
        "src/a.js/i.js: a part of its path is a file, so nothing can lie below it",
        "./src: it is a folder, not a file",
      ],
    });
  });

  it("names a change so that it is no other one, with the folder in front where there are several", async () => {
    await mkdir(at("deep", "shop"), { recursive: true });
    for (const folder of [at("shop"), at("other"), at("deep", "shop")])
      await writeFile(join(folder, "README.md"), "old\n");
    const folders = [at("shop"), at("other")];
    const answer = "```md shop/README.md\none\n```\n```md other/README.md\ntwo\n```";
    assert.deepEqual((await plan(answer, { folders })).changes, [
      ["shop/README.md", "old\n", "one\n"],
      ["other/README.md", "old\n", "two\n"],
    ]);
    const alike = [at("shop"), at("deep", "shop")];
    assert.deepEqual(
      alike.map((folder) => nameIn(alike, join(folder, "README.md"))),
      [`${basename(root)}/shop/README.md`, "deep/shop/README.md"],
    );
    assert.equal(nameIn([at("shop"), at("shop", "src")], at("shop", "src", "a.js")), "src/a.js");
  });

  it("takes nothing of a file that the answer has in two ways, and names it", async () => {
    const refused = ["src/a.js: the answer has it more than once, and not the same"];
    await symlink("src", at("shop", "code"));
    for (const second of ["src/a.js", "./src/a.js", "code/a.js"]) {
      const answer = `Before:\n\`\`\`js src/a.js\nalpha\n\`\`\`\nafter:\n\`\`\`js ${second}\nbeta\n\`\`\``;
      assert.deepEqual(await plan(answer), { changes: [], refused });
    }
    const diff = "```diff\n--- a/src/a.js\n+++ b/src/a.js\n@@ -1 +1 @@\n-let a;\n+let b;\n```\n";
    assert.deepEqual(await plan(`${diff}\`\`\`js src/a.js\nlet q;\n\`\`\``), { changes: [], refused });
    const unfit = "```diff\n--- a/src/a.js\n+++ b/src/a.js\n@@ -1 +1 @@\n-let q;\n+let r;\n```\n";
    assert.deepEqual(await plan(`${diff}${unfit}\`\`\`js b.js\nx\n\`\`\``), {
      changes: [["b.js", undefined, "x\n"]],
      refused: ["src/a.js: the diff does not fit the file as it is now"],
    });
  });

  it("takes once what the answer has twice", async () => {
    const diff = "```diff\n--- a/src/a.js\n+++ b/src/a.js\n@@ -1 +1 @@\n-let a;\n+let b;\n```\n";
    const whole = "```js src/a.js\nlet b;\nlet z;\n```\n";
    for (const answer of [diff + diff, whole + whole, `${diff}So:\n${whole}`])
      assert.deepEqual(await plan(answer), {
        changes: [["src/a.js", before, "let b;\nlet z;\n"]],
        refused: [],
      });
  });

  it("makes and deletes empty files, and names a diff of permissions alone", async () => {
    await writeFile(at("shop", "empty"), "");
    const git = (name: string, line: string): string => `diff --git a/${name} b/${name}\n${line}\n`;
    assert.deepEqual(await plan(git("new", "new file mode 100644")), {
      changes: [["new", undefined, ""]],
      refused: [],
    });
    assert.deepEqual(await plan(git("empty", "deleted file mode 100644")), {
      changes: [["empty", "", undefined]],
      refused: [],
    });
    assert.deepEqual(await plan(git("src/a.js", "old mode 100644\nnew mode 100755")), {
      changes: [],
      refused: ["src/a.js: the diff changes nothing but permissions, which is not supported"],
    });
  });

  it("names a refused path with what is not seen in it written out", async () => {
    assert.deepEqual((await plan('```js file="a\u202egpj.exe"\nx\n```')).refused, [
      "a\\u{202e}gpj.exe: its name holds characters that are not shown",
    ]);
  });
});
