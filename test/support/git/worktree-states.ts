import { chmodSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";

/** What happens to one path between two commits. */
interface Edit {
  readonly path: string;
  readonly what:
    | "text"
    | "crlf"
    | "mixed"
    | "binary"
    | "large"
    | "executable"
    | "plain"
    | "link"
    | "utf16"
    | "ident"
    | "delete";
  readonly salt: number;
}

const names = [
  ...[
    "a.txt",
    "b.up",
    "sp ace.txt",
    "-dash",
    "ü.txt",
    "*",
    ":(top)x",
    "d/one.txt",
    "d/two.bin",
    "e/f/deep.txt",
  ],
  ...[
    "crlf.md",
    "lf.sh",
    "raw.csv",
    "was-crlf.txt",
    "big.lfs",
    "e/f/other.lfs",
    "wide.utf16",
    "id.c",
    "both.ue",
  ],
];
const edit: fc.Arbitrary<Edit> = fc.record({
  path: fc.constantFrom(...names),
  what: fc.constantFrom(
    ...([
      "text",
      "crlf",
      "mixed",
      "binary",
      "large",
      "executable",
      "plain",
      "link",
      "utf16",
      "ident",
      "delete",
    ] as const),
  ),
  salt: fc.nat(3),
});
const lines = (...patterns: readonly string[]): string => `${patterns.join("\n")}\n`;

/** A repository's rules for content, commits that each name some edits, and changes that nobody names. */
export interface WorktreeStates {
  readonly attributes: string;
  readonly inner: string;
  readonly config: readonly (readonly [string, string])[];
  readonly commits: readonly (readonly Edit[])[];
  readonly noise: readonly Edit[];
}

/** Clean filters by command, by process and none; line ends by attribute and by configuration; encodings, idents. */
export const worktreeStates: fc.Arbitrary<WorktreeStates> = fc.record({
  attributes: fc.constantFrom(
    lines("*.up filter=up", "*.md text eol=crlf", "*.txt text=auto", "*.bin -text", "*.lfs filter=lfs -text"),
    lines("* text=auto", "*.sh text eol=lf", "*.lfs filter=lfs diff=lfs merge=lfs -text", "*.c ident"),
    lines("*.txt text", "*.md -text", "*.up filter=up text eol=crlf", "*.lfs filter=lfs", "*.c ident text"),
    lines("*.txt text=auto eol=crlf", "*.csv binary", "*.ue filter=up ident", "*.sh !text"),
    lines(),
  ),
  // In a folder of their own, where they come before those at the top.
  inner: fc.constantFrom("", lines("*.txt -text"), lines("*.txt filter=up"), lines("*.lfs !filter")),
  config: fc.constantFrom<readonly (readonly [string, string])[]>(
    [],
    [["core.autocrlf", "true"]],
    [["core.autocrlf", "input"]],
    [["core.eol", "crlf"]],
    [["core.filemode", "false"]],
  ),
  commits: fc.array(fc.uniqueArray(edit, { minLength: 1, maxLength: 5, selector: ({ path }) => path }), {
    minLength: 1,
    maxLength: 4,
  }),
  noise: fc.array(edit, { maxLength: 2 }),
});

/** As git-lfs does it: a small text that names the content. */
export const lfsClean = `sh -c 'sum=$(sha256sum | cut -d" " -f1); printf "version https://git-lfs.github.com/spec/v1\\noid sha256:%s\\n" "$sum"'`;

export function apply(worktree: string, { path, what, salt }: Edit): void {
  const file = join(worktree, path);
  const there = lstatSync(file, { throwIfNoEntry: false });
  if (what === "executable" || what === "plain") {
    // The mode alone changes where there is a file.
    if (there?.isFile() !== true) write(file, `line ${salt}\n`);
    chmodSync(file, what === "executable" ? 0o755 : 0o644);
    return;
  }
  if (what === "delete") {
    rmSync(file, { force: true });
    return;
  }
  if (what === "link") {
    rmSync(file, { force: true });
    mkdirSync(dirname(file), { recursive: true });
    symlinkSync(`target-${salt}`, file);
    return;
  }
  if (there?.isSymbolicLink() === true) rmSync(file);
  write(file, contentOf(what, salt));
}

function write(file: string, content: string | Buffer): void {
  rmSync(file, { force: true });
  mkdirSync(dirname(file), { recursive: true });
  // git refuses content that is not in the encoding that its rules demand.
  const encoded = file.endsWith(".utf16") && typeof content === "string";
  writeFileSync(file, encoded ? Buffer.from(`\ufeff${content}`, "utf16le") : content);
}

function contentOf(
  what: Exclude<Edit["what"], "executable" | "plain" | "link" | "delete">,
  salt: number,
): string | Buffer {
  switch (what) {
    case "text":
      return `line ${salt}\nend\n`;
    case "crlf":
      return `line ${salt}\r\nend\r\n`;
    case "mixed":
      return `line ${salt}\r\nend\nlast`;
    case "binary":
      return Buffer.from([255, 254, salt, 0, 13, 0, 10, 0]);
    case "large":
      return `${salt}0123456789abcdef\r\n`.repeat(4000);
    case "utf16":
      return Buffer.from(`\ufeffline ${salt}\r\nend\n`, "utf16le");
    case "ident":
      return `$Id: ${salt} $\r\n$Id$\n`;
  }
}
