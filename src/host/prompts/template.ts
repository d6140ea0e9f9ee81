import { InputError } from "../../core/errors.ts";

const plainVariables = ["file", "selection", "relativePath", "language"] as const;
type PlainVariable = (typeof plainVariables)[number];

/** A question that the prompt puts to whoever runs it: `${input:name}` or `${input:name:what it is}`. */
export interface Question {
  readonly name: string;
  readonly hint: string;
}

type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "variable"; readonly variable: PlainVariable }
  | { readonly kind: "input"; readonly question: Question };

/** A prompt in pieces: what is put in for one variable is never searched for another. */
export interface Template {
  readonly pieces: readonly Piece[];
}

export type Values = Readonly<Record<PlainVariable, string>> & {
  readonly inputs: Readonly<Record<string, string>>;
};

/**
 * Takes a prompt apart. `\${` stands for `${` itself, so that a prompt can speak of code. Throws `InputError` naming
 * every variable that is not known.
 */
export function parseTemplate(text: string): Template {
  const pieces: Piece[] = [];
  const unknown: string[] = [];
  let end = 0;
  // What is not closed on its line is taken with all of it, so that the line is not searched again from each beginning.
  for (const found of text.matchAll(/(\\?)\$\{([^}\n]*)(\}?)/g)) {
    const [whole, escape, name = "", close] = found;
    if (close === "") continue;
    pieces.push({ kind: "text", text: text.slice(end, found.index) });
    end = found.index + whole.length;
    const piece = escape ? { kind: "text" as const, text: whole.slice(1) } : variablePiece(name);
    if (piece) pieces.push(piece);
    else unknown.push(whole);
  }
  pieces.push({ kind: "text", text: text.slice(end) });
  if (unknown.length > 0) {
    const known = plainVariables.map((variable) => `\${${variable}}`).join(", ");
    throw new InputError(
      "prompt",
      `does not know ${[...new Set(unknown)].join(", ")}; it knows ${known} and \${input:name}, and \\\${ stands for \${ itself`,
      "unknown-variable",
    );
  }
  return { pieces };
}

function variablePiece(name: string): Piece | undefined {
  const variable = plainVariables.find((each) => each === name);
  if (variable) return { kind: "variable", variable };
  const [, asked, hint = ""] = /^input:([\w-]+)(?::(.*))?$/.exec(name) ?? [];
  return asked === undefined ? undefined : { kind: "input", question: { name: asked, hint: hint.trim() } };
}

/** Each question once, in order. */
export function questionsOf({ pieces }: Template): readonly Question[] {
  const questions = new Map<string, Question>();
  for (const piece of pieces)
    if (piece.kind === "input" && !questions.has(piece.question.name))
      questions.set(piece.question.name, piece.question);
  return [...questions.values()];
}

export const uses = ({ pieces }: Template, variable: PlainVariable): boolean =>
  pieces.some((piece) => piece.kind === "variable" && piece.variable === variable);

/** The prompt with everything put in. Throws `InputError` for an answer that is missing. */
export function render({ pieces }: Template, values: Values): string {
  return pieces
    .map((piece) => {
      switch (piece.kind) {
        case "text":
          return piece.text;
        case "variable":
          return values[piece.variable];
        case "input":
          return inputValue(piece.question.name, values.inputs);
      }
    })
    .join("");
}

function inputValue(name: string, inputs: Readonly<Record<string, string>>): string {
  const value = Object.hasOwn(inputs, name) ? inputs[name] : undefined;
  if (value === undefined)
    throw new InputError(`inputs.${name}`, `is missing; the prompt asks for \${input:${name}}`);
  return value;
}
