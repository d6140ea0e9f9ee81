import { env, l10n, RelativePattern, window, workspace } from "vscode";
import { join } from "node:path";
import { numbersIn } from "../numbers.ts";
import type { GitChoices } from "../parts.ts";
import { askText, pickMany, pickOne } from "../ui/ask.ts";
import type { Choice } from "../ui/ask.ts";
import { back, runSteps } from "../ui/steps.ts";
import type { Back, Frame } from "../ui/steps.ts";
import { filesPointedAt, fitToSend, nothingFits } from "./pointed-at.ts";
import type { Around, Found } from "./pointed-at.ts";

type Way = { readonly kind: "active"; readonly file: string } | { readonly kind: "glob" } | BranchWay;
interface BranchWay {
  readonly kind: "branch";
  readonly worktree: string;
}

/** Lets a person choose files: the active one, those of a pattern, or what a branch changed. Absolute paths. */
export async function chooseFiles(frame: Frame, choices: GitChoices, around: Around): Promise<Found | Back> {
  const way = await pickOne({ ...frame, placeholder: l10n.t("Run on which files?"), items: ways(choices) });
  if (way === back) return back;
  switch (way.kind) {
    case "active":
      return filesPointedAt([way.file], around, filesIn, numbersIn(env.language), l10n.t);
    case "glob":
      return filesOfPattern(frame.title, around);
    case "branch": {
      const paths = await choices.filesOfBranch(way.worktree);
      return narrow(
        frame.title,
        paths.map((path) => ({ label: path, picked: true, value: join(way.worktree, path) })),
        // It may be open nowhere, and its files are its own all the same.
        { ...around, folders: () => [...around.folders(), way.worktree] },
      );
    }
  }
}

async function ways(choices: GitChoices): Promise<readonly Choice<Way>[]> {
  const active = window.activeTextEditor?.document.uri;
  const worktrees = await choices.worktrees();
  return [
    ...(active?.scheme === "file"
      ? [
          {
            label: l10n.t("The active file"),
            description: workspace.asRelativePath(active),
            value: { kind: "active", file: active.fsPath } as const,
          },
        ]
      : []),
    { label: l10n.t("Files that match a pattern"), value: { kind: "glob" } as const },
    ...worktrees.map(({ path, branch, repository }) => ({
      label: l10n.t("Changed files of {0}", branch ?? l10n.t("(detached)")),
      description: repository,
      detail: path,
      value: { kind: "branch", worktree: path } as const,
    })),
  ];
}

async function filesOfPattern(title: string, around: Around): Promise<Found | Back> {
  let found: readonly Choice<string>[] = [];
  await runSteps(title, [
    async (frame) => {
      const glob = await askText({
        ...frame,
        prompt: l10n.t("Pattern of paths, such as {0}", "src/**/*.ts"),
        refuse: (text) => (text.trim() === "" ? l10n.t("Write a pattern.") : undefined),
      });
      if (glob === back) return back;
      found = (await workspace.findFiles(glob.trim()))
        .filter(({ scheme }) => scheme === "file")
        .map((uri) => ({ label: workspace.asRelativePath(uri), picked: true, value: uri.fsPath }))
        .sort((a, b) => a.label.localeCompare(b.label));
      return "asked";
    },
  ]);
  return narrow(title, found, around);
}

/** Absolute paths of the files in a folder, as far as the editor shows them. */
export async function filesIn(folder: string): Promise<readonly string[]> {
  const found = await workspace.findFiles(new RelativePattern(folder, "**/*"));
  return found.map(({ fsPath }) => fsPath).sort();
}

/** Shows what was found and can be sent, all of it ticked. */
async function narrow(
  title: string,
  items: readonly Choice<string>[],
  around: Around,
): Promise<Found | Back> {
  if (items.length === 0) throw new Error(l10n.t("No file was found, so nothing was queued."));
  const { files, leftOut } = await fitToSend(
    items.map(({ value }) => value),
    around,
  );
  const fit = new Set(files);
  if (fit.size === 0) throw nothingFits(leftOut, numbersIn(env.language), l10n.t);
  const shown = items.filter(({ value }) => fit.has(value));
  const chosen = await pickMany({
    title,
    canGoBack: false,
    placeholder: l10n.t("Files to run on"),
    items: shown,
  });
  return chosen === back ? back : { files: chosen, leftOut };
}
