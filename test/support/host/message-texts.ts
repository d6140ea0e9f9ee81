import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import ts from "typescript";

const src = path.resolve(import.meta.dirname, "../../../src");
/** Rooms that write English whoever reads it. */
const rooms = ["core", "git", "journal", "llm", "runner", "host/files", "host/prompts", "host/results"];
/** Stands where a text has a part that is worked out; no other text has it. */
export const PART = "\u27e8\u27e9";

export interface Text {
  readonly place: string;
  readonly text: string;
}

/** Every text of the rooms that has words in it and is neither translated where it stands, logged, nor SQL. */
export async function messageTexts(): Promise<readonly Text[]> {
  const found: Text[] = [];
  for (const room of rooms)
    for (const name of await readdir(path.join(src, room), { recursive: true })) {
      if (!name.endsWith(".ts")) continue;
      const text = await readFile(path.join(src, room, name), "utf8");
      const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
      visit(file, (node, said) => {
        const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
        found.push({ place: `${room}/${name}:${line + 1}`, text: said });
      });
    }
  return found.filter(({ text }) => /[a-z]{2}.* .*[a-z]|[a-z]{2}.* \u27e8/.test(text) && !isSql(text));
}

const isSql = (text: string): boolean =>
  /\b(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|PRAGMA|WHERE|ORDER BY|IN \(|IS NOT NULL|DESC)\b|\bIN \(|^[\w., ]+, \w+$/.test(
    text,
  );

function visit(node: ts.Node, found: (node: ts.Node, text: string) => void): void {
  if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || isElsewhere(node)) return;
  if (ts.isStringLiteralLike(node)) found(node, node.text);
  if (ts.isTemplateExpression(node)) {
    found(node, [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(PART));
    for (const { expression } of node.templateSpans) visit(expression, found);
    return;
  }
  ts.forEachChild(node, (child) => visit(child, found));
}

/** Translated or logged there, or for another program. */
function isElsewhere(node: ts.Node): boolean {
  if (!ts.isCallExpression(node)) return false;
  const { expression } = node;
  if (ts.isIdentifier(expression)) return expression.text === "t";
  if (!ts.isPropertyAccessExpression(expression)) return false;
  return ["t", "#t"].includes(expression.name.text) || /\blog$/.test(expression.expression.getText());
}
