import { parseArgs } from "node:util";
import type { ParseArgsConfig } from "node:util";
import type { Session } from "./session.ts";
import { UsageError } from "./usage-error.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;

/** What every command takes. */
const commonOptions = {
  directory: { type: "string", short: "C" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const satisfies Options;

type Parsed<Own extends Options> = ReturnType<
  typeof parseArgs<{ options: Own; allowPositionals: true; strict: true }>
>;
type Values<Own extends Options> = Parsed<Own>["values"];

/** What came of a command. */
export interface Outcome {
  /** For programs: JSON data. */
  readonly data: Readonly<Record<string, unknown>>;
  /** For people; without a line end. */
  readonly text: string;
  /** Why what was asked for did not happen, all or in part. */
  readonly failure?: { readonly message: string; readonly reason: string };
}

interface Prepared {
  readonly directory: string | undefined;
  readonly run: (session: Session) => Promise<Outcome>;
}

export interface Command {
  /** What follows the program's name. */
  readonly usage: string;
  /** Lines for people. */
  readonly about: string;
  /** `undefined`: its help is wanted. Throws `UsageError`. */
  readonly prepare: (args: readonly string[]) => Prepared | undefined;
}

interface Definition<Own extends Options> {
  readonly usage: string;
  readonly about: string;
  readonly options: Own;
  /** Checks what was given, and answers what is to be done. Throws `UsageError`. */
  readonly read: (values: Values<Own>, names: readonly string[]) => Prepared["run"];
}

/** Hides the options' types, so that all commands fit one table. */
export function define<const Own extends Options>({ usage, about, options, read }: Definition<Own>): Command {
  return {
    usage,
    about,
    prepare: (args) => {
      const own = parsed(args, { ...commonOptions, ...options });
      const common: Values<typeof commonOptions> = own.values;
      if (common.help) return undefined;
      // The types of both kinds of options together are beyond the compiler, those of each are not.
      const run = read(own.values as Values<Own>, own.positionals);
      return { directory: common.directory, run };
    },
  };
}

function parsed(args: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** The only name that may be given; `what` says what it is. */
export function oneName(names: readonly string[], what: string): string {
  const [name, ...rest] = names;
  if (name === undefined) throw new UsageError(`Name ${what}.`);
  noMore(rest);
  return name;
}

export function noMore(names: readonly string[]): void {
  if (names.length > 0) throw new UsageError(`"${names.join('", "')}" is more than is taken here.`);
}
