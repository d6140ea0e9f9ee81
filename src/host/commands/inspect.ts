import * as v from "valibot";
import { parseInput } from "../../core/schema/inputs.ts";
import type { OperationView } from "../../core/snapshot.ts";
import type { Inspector } from "../inspect/inspector.ts";
import type { Translate } from "../l10n.ts";
import type { Pickers } from "../ui/pickers.ts";
import type { Subject } from "./caller.ts";
import { define } from "./command.ts";
import type { Answers, CommandTable } from "./command.ts";
import { asRepository, operationsIn } from "./subjects.ts";

const id = v.pipe(v.string("must be the id of an operation"), v.uuid("is not an id"));
const idInput = v.strictObject({ id });

/** All its files, or those that were chosen. */
interface FilesOf {
  readonly id: string;
  readonly files?: readonly string[];
}

type Names = "openChanges" | "openFile" | "openDetails" | "openWorktree";

/** What opens the things behind an operation; works without trust. */
export function inspectCommands(
  inspector: Pick<
    Inspector,
    "openChanges" | "openDetails" | "openFiles" | "files" | "choose" | "worktree" | "openFolder"
  >,
  pickers: Pickers,
  t: Translate,
): Pick<CommandTable, Names> {
  const pointedAt = async (
    subject: Subject,
    title: string,
    may: (view: OperationView) => boolean,
  ): Promise<string> => {
    const [given] = operationsIn(subject);
    if (given !== undefined) return given;
    return (await pickers.operation(may, t("There is no such operation yet."), title))[0];
  };
  const parse = (input: unknown): { readonly id: string } => parseInput(idInput, input);
  return {
    openChanges: define({
      trusted: false,
      parse,
      ask: async (subject) => ({
        id: await pointedAt(subject, t("Open Changes"), ({ kind }) => kind === "commit" || kind === "merge"),
      }),
      run: async (input) => ({ files: await inspector.openChanges(input.id) }),
    }),
    openFile: define<FilesOf, { readonly files: readonly string[] }>({
      trusted: false,
      parse,
      ask: async (subject) => {
        const operation = await pointedAt(subject, t("Open File"), ({ kind }) => kind !== "push");
        return { id: operation, files: await inspector.choose(await inspector.files(operation)) };
      },
      run: async (input) => {
        const files = input.files ?? (await inspector.files(input.id));
        await inspector.openFiles(files);
        return { files };
      },
    }),
    openWorktree: define<{ readonly id: string } | { readonly worktree: string }, Answers["openWorktree"]>({
      trusted: false,
      parse,
      ask: async (subject) => {
        const row = asRepository(subject);
        if (row.kind === "repository") return { worktree: row.root };
        return { id: await pointedAt(subject, t("Open Worktree"), ({ kind }) => kind !== "request") };
      },
      run: async (input) => {
        const worktree = "id" in input ? await inspector.worktree(input.id) : input.worktree;
        await inspector.openFolder(worktree);
        return { worktree };
      },
    }),
    openDetails: define({
      trusted: false,
      parse,
      ask: async (subject) => ({ id: await pointedAt(subject, t("Open Details"), () => true) }),
      run: async (input) => {
        await inspector.openDetails(input.id);
        return undefined;
      },
    }),
  };
}
