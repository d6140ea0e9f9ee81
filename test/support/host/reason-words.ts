import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import ts from "typescript";

const src = path.resolve(import.meta.dirname, "../../../src");
/** Rooms whose messages are English; the rest of the host words its own refusals. */
const rooms = ["core", "git", "journal", "llm", "runner", "host/files", "host/prompts"];
/** Which argument of a call carries the stable word. */
const argumentOf: Readonly<Record<string, number>> = {
  InputError: 2,
  StateError: 0,
  GitError: 0,
  JournalError: 0,
  refuse: 1,
};
const word = /^[a-z]+(-[a-z0-9]+)*$/;

type Found = (word: string) => void;

/** Every stable word for why something failed, was refused or is held, with a file that says it. */
export async function reasonWords(): Promise<ReadonlyMap<string, string>> {
  const words = new Map<string, string>();
  for (const room of rooms) {
    for (const name of await readdir(path.join(src, room), { recursive: true })) {
      if (!name.endsWith(".ts")) continue;
      const text = await readFile(path.join(src, room, name), "utf8");
      const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest);
      const found: Found = (each) => void words.set(each, `${room}/${name}`);
      visit(file, found);
      if (path.basename(name) === "failure.ts") tables(file, found);
    }
  }
  return words;
}

function visit(node: ts.Node, found: Found): void {
  const isReason = (name: ts.Node): boolean => ts.isIdentifier(name) && name.text === "reason";
  if (ts.isPropertyAssignment(node) && isReason(node.name)) literals(node.initializer, found);
  if (ts.isPropertySignature(node) && isReason(node.name)) literals(node.type, found);
  if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && ts.isIdentifier(node.expression)) {
    const at = argumentOf[node.expression.text];
    if (at !== undefined) literals(node.arguments?.[at], found);
  }
  ts.forEachChild(node, (child) => visit(child, found));
}

/** Tables from a provider's own codes to our words. */
function tables(file: ts.SourceFile, found: Found): void {
  for (const statement of file.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const { initializer } of statement.declarationList.declarations) {
      if (initializer === undefined || !ts.isObjectLiteralExpression(initializer)) continue;
      for (const entry of initializer.properties)
        if (ts.isPropertyAssignment(entry)) literals(entry.initializer, found);
    }
  }
}

/** The words that an expression or a type can be. */
function literals(node: ts.Node | undefined, found: Found): void {
  if (node === undefined) return;
  if (ts.isStringLiteral(node) && word.test(node.text)) found(node.text);
  if (ts.isConditionalExpression(node)) {
    literals(node.whenTrue, found);
    literals(node.whenFalse, found);
  }
  if (ts.isLiteralTypeNode(node)) literals(node.literal, found);
  if (ts.isUnionTypeNode(node)) for (const each of node.types) literals(each, found);
}
