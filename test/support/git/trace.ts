import { existsSync, readFileSync } from "node:fs";

interface TraceEvent {
  readonly event: string;
  readonly sid: string;
  readonly argv?: readonly string[];
}

/** What git itself writes down about every process of it (GIT_TRACE2_EVENT), those of hooks and helpers included. */
export class GitTrace {
  readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  /** The arguments of every git process so far, in order. */
  all(): readonly (readonly string[])[] {
    return this.#events().flatMap(({ event, argv }) => (event === "start" && argv ? [argv] : []));
  }

  /** The same for those that the product started itself; git's own children have a slash in their session's name. */
  own(): readonly (readonly string[])[] {
    return this.#events().flatMap(({ event, sid, argv }) =>
      event === "start" && argv && !sid.includes("/") ? [argv] : [],
    );
  }

  /** The `git push` runs. */
  pushes(): readonly PushRun[] {
    return this.own().flatMap((argv) => (verb(argv) === "push" ? [pushRun(argv)] : []));
  }

  #events(): readonly TraceEvent[] {
    if (!existsSync(this.file)) return [];
    return readFileSync(this.file, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as TraceEvent);
  }
}

export interface PushRun {
  /** Remote name or address, as git was told. */
  readonly destination: string;
  /** Full names on the remote. */
  readonly refs: readonly string[];
  readonly leased: readonly string[];
  readonly atomic: boolean;
  readonly argv: readonly string[];
}

function pushRun(argv: readonly string[]): PushRun {
  const [destination = "", ...refspecs] = argv.slice(argv.indexOf("--") + 1);
  return {
    destination,
    refs: refspecs.map((refspec) => refspec.slice(refspec.indexOf(":") + 1)),
    leased: argv.flatMap((arg) => /^--force-with-lease=(.+):[0-9a-f]*$/.exec(arg)?.[1] ?? []),
    atomic: argv.includes("--atomic"),
    argv,
  };
}

/** The subcommand, past the program and its options. */
const verb = (argv: readonly string[]): string | undefined =>
  argv.find((arg, index) => index > 0 && !arg.startsWith("-") && argv[index - 1] !== "-c");
