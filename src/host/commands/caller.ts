import { InputError } from "../../core/errors.ts";
import { detailsIdOf } from "../inspect/details-path.ts";
import { SCHEME } from "../scheme.ts";
import { QueueNode } from "../tree/node.ts";

/** What a person pointed at when choosing a command from a menu. */
export type Subject =
  | { readonly kind: "none" }
  | { readonly kind: "nodes"; readonly nodes: readonly QueueNode[] }
  /** Absolute paths. */
  | { readonly kind: "files"; readonly files: readonly string[] }
  /** Ids: the details of one are shown in an editor. */
  | { readonly kind: "operations"; readonly ids: readonly string[] }
  | { readonly kind: "repository"; readonly root: string };

export type Call =
  | { readonly from: "code"; readonly input: unknown }
  | { readonly from: "tool" | "cli" | "mcp"; readonly input: unknown }
  /** From code as well, with what cannot be an input, whatever fields it has. */
  | { readonly from: "mistake"; readonly error: InputError }
  /** A person's wish that one of our views has made an argument of. */
  | { readonly from: "view"; readonly input: unknown }
  | { readonly from: "person"; readonly subject: Subject };

/**
 * Who calls: an object literal, even an empty one, comes from code; nothing, or what an editor menu passes, from a person.
 * Anything else can only be a mistake in code. A list or an instance of a class has none of the fields that are looked for,
 * or has them in a way that is not seen, and must not pass for a wish without any: that would flush or cancel everything.
 */
export function callOf(args: readonly unknown[]): Call {
  const [first] = args;
  if (first === undefined) return { from: "person", subject: { kind: "none" } };
  const subject = subjectOf(args);
  if (subject) return { from: "person", subject };
  if (typeof first !== "object" || first === null || isPlain(first)) return { from: "code", input: first };
  const what = "must be an object literal, not a list or an instance of a class";
  return { from: "mistake", error: new InputError("argument", what) };
}

function subjectOf(args: readonly unknown[]): Subject | undefined {
  const [first, second] = args;
  if (first instanceof QueueNode) {
    const all = Array.isArray(second) ? second.filter((item) => item instanceof QueueNode) : [];
    return { kind: "nodes", nodes: all.includes(first) ? all : [first] };
  }
  if (isUri(first)) {
    const details = first.scheme === SCHEME && first.path !== undefined ? detailsIdOf(first.path) : undefined;
    if (details !== undefined) return { kind: "operations", ids: [details] };
    // The Explorer passes the clicked one and the whole selection; on its empty area the selection is empty.
    const all = Array.isArray(second) ? second.filter(isUri) : [];
    return { kind: "files", files: (all.length > 0 ? all : [first]).map(({ fsPath }) => fsPath) };
  }
  if (hasUri(first, "resourceUri")) {
    // Source Control passes one argument for each selected row.
    return {
      kind: "files",
      files: args.filter((item) => hasUri(item, "resourceUri")).map((item) => item.resourceUri.fsPath),
    };
  }
  if (hasUri(first, "rootUri")) return { kind: "repository", root: first.rootUri.fsPath };
  if (isSourceControl(first)) return { kind: "none" };
  if (isGroup(first)) {
    return {
      kind: "files",
      files: first.resourceStates
        .filter((item) => hasUri(item, "resourceUri"))
        .map((item) => item.resourceUri.fsPath),
    };
  }
  return undefined;
}

interface UriLike {
  readonly scheme: string;
  readonly fsPath: string;
  readonly path?: string;
}

function isUri(value: unknown): value is UriLike {
  return isObject(value) && typeof value["scheme"] === "string" && typeof value["fsPath"] === "string";
}

function hasUri<Key extends string>(value: unknown, key: Key): value is Record<Key, UriLike> {
  return isObject(value) && isUri(value[key]);
}

function isGroup(value: unknown): value is { readonly resourceStates: readonly unknown[] } {
  return isObject(value) && Array.isArray(value["resourceStates"]);
}

/** One without a folder, which a provider may leave out. */
const isSourceControl = (value: unknown): boolean =>
  isObject(value) && typeof value["createResourceGroup"] === "function";

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null;
  // An argument that crossed a realm has another Object.prototype: it is at the end of the chain, and known by what only it has.
  return (
    prototype === null ||
    (Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, "isPrototypeOf"))
  );
}
