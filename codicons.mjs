// The panel draws some thirty of the several hundred codicons: only those go into the package.
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import subsetFont from "subset-font";

/** An entry of the table of code points, as prettier writes it. */
const entries = /^\s+"?([a-z][a-z-]*)"?: 0x([0-9a-f]{4}),$/gm;
/** The `icon` and `icon-after` of a button, whose element makes a class name of it. */
const attributes = /\sicon(?:-after)?=(?:"([^"]*)"|\$\{([^}]*)\})/g;
const rules = /^\.codicon-([\w-]+):before \{ content: "\\([0-9a-f]+)" \}\n/gm;

/**
 * The icons that the panel's sources name, by code point. They are read as text, since the build also runs on a Node that
 * imports no TypeScript.
 * @param {readonly string[]} sources texts of TypeScript files
 * @param {string} css the style sheet of all codicons
 * @returns {Map<string, number>}
 */
export function namedIcons(sources, css) {
  const known = new Map([...css.matchAll(rules)].map(([, name, point]) => [name, parseInt(point, 16)]));
  const found = new Map();
  const add = (name) => {
    if (!known.has(name)) throw new Error(`The panel names the icon "${name}", which codicons lack.`);
    found.set(name, known.get(name));
  };
  for (const source of sources) {
    for (const [, name, point] of source.matchAll(entries)) {
      add(name);
      if (found.get(name) !== parseInt(point, 16)) {
        throw new Error(`The icon "${name}" has the code point 0x${found.get(name).toString(16)}.`);
      }
    }
    for (const [attribute, name, expression] of source.matchAll(attributes)) {
      const names = name === undefined ? [...expression.matchAll(/"([^"]*)"/g)].map((hit) => hit[1]) : [name];
      if (names.length === 0) throw new Error(`Which icons may${attribute} be? Write their names there.`);
      names.forEach(add);
    }
  }
  return found;
}

/**
 * Writes `codicon.css` and `codicon.ttf` with the icons that the sources under `webview` name, and returns their paths.
 * @param {string} webview folder of the panel's sources
 * @param {string} target folder, made where it is missing
 */
export async function writeCodicons(webview, target) {
  const all = path.join(import.meta.dirname, "node_modules/@vscode/codicons/dist");
  const files = (await readdir(webview, { recursive: true })).filter((file) => file.endsWith(".ts")).sort();
  const sources = await Promise.all(files.map((file) => readFile(path.join(webview, file), "utf8")));
  const css = await readFile(path.join(all, "codicon.css"), "utf8");
  const icons = namedIcons(sources, css);
  const font = await subsetFont(
    await readFile(path.join(all, "codicon.ttf")),
    String.fromCodePoint(...icons.values()),
    { targetFormat: "truetype" },
  );
  const written = {
    "codicon.css": css.replaceAll(rules, (rule, name) => (icons.has(name) ? rule : "")),
    "codicon.ttf": font,
  };
  await mkdir(target, { recursive: true });
  return Promise.all(
    Object.entries(written).map(async ([name, content]) => {
      const file = path.join(target, name);
      await writeFile(file, content);
      return file;
    }),
  );
}
