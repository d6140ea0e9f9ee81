import type { Entry, PathKey } from "./entries.ts";
import { cQuote } from "./quote.ts";

export interface NewCommit {
  readonly author: Buffer;
  readonly committer: Buffer;
  readonly message: Buffer;
  readonly changes: ReadonlyMap<PathKey, Entry | undefined>;
}

/** Commits on top of each other, left at a temporary ref. */
export interface Branch {
  readonly ref: string;
  /** `undefined`: the first commit has no parent. */
  readonly from: string | undefined;
  readonly commits: readonly NewCommit[];
  /** Whether the ref shall hold them; else it is never made. */
  readonly keep: boolean;
}

/** The stream that `git fast-import --done` makes these commits from; it prints each commit's id, in order. */
export function* importStream(branches: readonly Branch[]): Generator<Buffer> {
  let mark = 0;
  for (const { ref, from, commits, keep } of branches) {
    yield text(`reset ${ref}\n${from === undefined ? "" : `from ${from}\n`}\n`);
    for (const [index, { author, committer, message, changes }] of commits.entries()) {
      mark += 1;
      const parent = index > 0 ? `from :${mark - 1}\n` : from === undefined ? "" : `from ${from}\n`;
      yield Buffer.concat([
        text(`commit ${ref}\nmark :${mark}\nauthor `),
        author,
        text("\ncommitter "),
        committer,
        text(`\ndata ${message.length}\n`),
        message,
        text(`\n${parent}`),
        ...changeLines(changes),
        text(`\nget-mark :${mark}\n`),
      ]);
    }
    if (!keep) yield text(`reset ${ref}\n\n`);
  }
  yield text("done\n");
}

function* changeLines(changes: NewCommit["changes"]): Generator<Buffer> {
  // Deletions first: a file may take the place of a folder. A folder of that name that only now appears is not touched.
  for (const [path, entry] of changes)
    if (!entry) yield Buffer.concat([text("D "), cQuote(path), text("\n")]);
  for (const [path, entry] of changes) {
    if (entry) yield Buffer.concat([text(`M ${entry.mode} ${entry.oid} `), cQuote(path), text("\n")]);
  }
}

const text = (line: string): Buffer => Buffer.from(line, "utf8");
