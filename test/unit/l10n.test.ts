import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import ts from "typescript";

const root = path.resolve(import.meta.dirname, "../..");
const readTexts = async (file: string): Promise<Record<string, string>> =>
  JSON.parse(await readFile(path.join(root, file), "utf8")) as Record<string, string>;

interface Call {
  readonly place: string;
  /** Undefined where the first argument is not a plain literal. */
  readonly text: string | undefined;
}

interface Source {
  readonly name: string;
  readonly text: string;
}

async function sources(): Promise<readonly Source[]> {
  const folder = path.join(root, "src");
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".ts"));
  return Promise.all(
    names.map(async (name) => ({ name, text: await readFile(path.join(folder, name), "utf8") })),
  );
}

/** Every call of `t`, `l10n.t`, `context.t` or `this.#t`. */
function callsIn({ name, text }: Source): readonly Call[] {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest);
  const calls: Call[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ["t", "#t"].includes(calledName(node.expression))) {
      const [first] = node.arguments;
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      calls.push({
        place: `${name}:${line + 1}`,
        text: first && ts.isStringLiteralLike(first) ? first.text : undefined,
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return calls;
}

/** Where the editor is given a text to show. */
const shownAs = new Set([
  ...[
    "title",
    "label",
    "description",
    "detail",
    "placeholder",
    "placeHolder",
    "prompt",
    "tooltip",
    "message",
  ],
  ...["openLabel", "saveLabel", "validationMessage"],
]);
/** The same in every language. */
const names = new Set(["Batch Control", "Anthropic", "OpenAI"]);

/** Words that are shown as they are written, in one language. */
function bareTexts({ name, text }: Source): readonly string[] {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const check = (value: ts.Node | undefined): void => {
    if (!value) return;
    if (ts.isConditionalExpression(value)) [value.whenTrue, value.whenFalse].forEach(check);
    else if (ts.isTemplateExpression(value))
      keep([value.head, ...value.templateSpans.map(({ literal }) => literal)]);
    else if (ts.isStringLiteralLike(value)) keep([value]);
  };
  const keep = (parts: readonly ts.LiteralLikeNode[]): void => {
    for (const { text: part } of parts)
      if (/[A-Za-z]{2}/.test(part.replaceAll(/\$\([\w~-]+\)/g, "")) && !names.has(part))
        found.push(`${name}: ${part}`);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && shownAs.has(node.name.text))
      check(node.initializer);
    if (
      ts.isBinaryExpression(node) &&
      node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
      shownAs.has(calledName(node.left))
    )
      check(node.right);
    if (
      ts.isCallExpression(node) &&
      /^show\w*Message$|^inform$|^hint$|^setStatusBarMessage$/.test(calledName(node.expression))
    )
      node.arguments.forEach(check);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function calledName(callee: ts.Expression): string {
  if (ts.isIdentifier(callee)) return callee.text;
  return ts.isPropertyAccessExpression(callee) ? callee.name.text : "";
}

/** The names of all that is declared as a translate function. */
const translatorNames = ({ text }: Source): readonly string[] =>
  [...text.matchAll(/([\w#]+)\??: Translate\b/g)].map(([, name]) => name!);

const matches = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([whole]) => whole).sort();

/** Keys whose two texts do not hold the same parts, such as placeholders. */
function unlike(english: Record<string, string>, german: Record<string, string>, pattern: RegExp): string[] {
  return Object.keys(english).filter(
    (key) =>
      JSON.stringify(matches(english[key]!, pattern)) !== JSON.stringify(matches(german[key] ?? "", pattern)),
  );
}

describe("the German texts", () => {
  let all: readonly Source[];
  let calls: readonly Call[];
  let translators: ReadonlySet<string>;

  before(async function () {
    this.timeout(60_000);
    all = await sources();
    calls = all.flatMap(callsIn);
    translators = new Set(all.flatMap(translatorNames));
  });

  it("cover every text that the extension shows, and no other", async () => {
    const asked = new Set(calls.flatMap(({ text }) => text ?? []));
    const german = new Set(Object.keys(await readTexts("l10n/bundle.l10n.de.json")));
    assert.ok(asked.size > 300, "the texts of the extension were found");
    const missing = [...asked].filter((text) => !german.has(text));
    const leftOver = [...german].filter((text) => !asked.has(text));
    assert.deepEqual({ missing, leftOver }, { missing: [], leftOver: [] });
  });

  it("can be found, because every text to translate is a literal", () => {
    const unknown = calls.filter(({ text }) => text === undefined);
    assert.deepEqual(unknown, []);
    assert.deepEqual([...translators].sort(), ["#t", "t"]);
  });

  it("cover all that the editor is given to show, where nothing is written in one language", () => {
    const host = all.filter(({ name }) => name.startsWith("host"));
    assert.ok(host.length > 100);
    assert.deepEqual(host.flatMap(bareTexts), []);
    const bare =
      'inform("Done"); hint("Copied"); showMessage({ severity: "error", message }, "Open"); const pick = { title: ok ? "Yes" : t("No"), label: `${n} files` };';
    assert.deepEqual(bareTexts({ name: "x", text: bare }), [
      "x: Done",
      "x: Copied",
      "x: Open",
      "x: Yes",
      "x:  files",
    ]);
  });

  it("keep the placeholders", async () => {
    const german = await readTexts("l10n/bundle.l10n.de.json");
    const english = Object.fromEntries(Object.keys(german).map((key) => [key, key]));
    assert.deepEqual(unlike(english, german, /\{\w+\}/g), []);
  });

  it("hold no empty text", async () => {
    for (const file of ["l10n/bundle.l10n.de.json", "package.nls.de.json"]) {
      const empty = Object.entries(await readTexts(file)).filter(([, text]) => text.trim() === "");
      assert.deepEqual(empty, [], file);
    }
  });

  it("cover the manifest, with the same links, settings and code", async () => {
    const english = await readTexts("package.nls.json");
    const german = await readTexts("package.nls.de.json");
    assert.deepEqual(Object.keys(german).sort(), Object.keys(english).sort());
    assert.deepEqual(unlike(english, german, /\]\(command:[\w.]+\)/g), []);
    assert.deepEqual(unlike(english, german, /`[^`]+`/g), []);
  });

  it("name commands as the palette does", async () => {
    for (const file of ["package.nls.json", "package.nls.de.json"]) {
      const texts = Object.entries(await readTexts(file));
      const titles = texts.filter(([key]) => key.startsWith("command.")).map(([, title]) => title);
      const shown = Object.entries(await readTexts("l10n/bundle.l10n.de.json")).map(([en, de]) =>
        file.endsWith(".de.json") ? de : en,
      );
      const named = [...texts.map(([, text]) => text), ...shown].flatMap((text) =>
        [...text.matchAll(/\*\*Batch Control: ([^*]+)\*\*/g)].map(([, title]) => title!),
      );
      assert.ok(named.length > 0, file);
      assert.deepEqual(
        named.filter((title) => !titles.includes(title)),
        [],
        file,
      );
    }
  });

  it("are where the manifest says", async () => {
    const manifest = JSON.parse(await readFile(path.join(root, "package.json"), "utf8")) as { l10n?: string };
    assert.equal(manifest.l10n, "./l10n");
    const shipped = (await readFile(path.join(root, ".vscodeignore"), "utf8")).split("\n");
    assert.ok(shipped.includes("!l10n/**") && shipped.includes("!package.nls*.json"));
  });
});
