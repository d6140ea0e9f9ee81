import { FileType, l10n, RelativePattern, Uri, window, workspace } from "vscode";
import { join } from "node:path";
import type { GitChoices } from "../parts.ts";
import { askText, pickMany, pickOne } from "../ui/ask.ts";
import type { Choice } from "../ui/ask.ts";
import { back, runSteps } from "../ui/steps.ts";
import type { Back, Frame } from "../ui/steps.ts";

type Way = { readonly kind: "active"; readonly file: string } | { readonly kind: "glob" } | BranchWay;
interface BranchWay {
  readonly kind: "branch";
  readonly worktree: string;
}

/** Lets a person choose files: the active one, those of a pattern, or what a branch changed. Absolute paths. */
export async function chooseFiles(frame: Frame, choices: GitChoices): Promise<readonly string[] | Back> {
  const way = await pickOne({ ...frame, placeholder: l10n.t("Run on which files?"), items: ways(choices) });
  if (way === back) return back;
  switch (way.kind) {
    case "active":
      return [way.file];
    case "glob":
      return filesOfPattern(frame.title);
    case "branch": {
      const paths = await choices.filesOfBranch(way.worktree);
      return narrow(
        frame.title,
        paths.map((path) => ({ label: path, picked: true, value: join(way.worktree, path) })),
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

async function filesOfPattern(title: string): Promise<readonly string[] | Back> {
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
  return narrow(title, found);
}

/** Files as they are, and for each folder the files in it, as far as the editor shows them. */
export async function withoutFolders(paths: readonly string[]): Promise<readonly string[]> {
  const each = paths.map(async (path) => {
    const { type } = await workspace.fs.stat(Uri.file(path));
    if (type !== FileType.Directory) return [path];
    const found = await workspace.findFiles(new RelativePattern(path, "**/*"));
    return found.map(({ fsPath }) => fsPath).sort();
  });
  return [...new Set((await Promise.all(each)).flat())];
}

/** Shows what was found, all of it ticked. */
async function narrow(title: string, items: readonly Choice<string>[]): Promise<readonly string[] | Back> {
  if (items.length === 0) throw new Error(l10n.t("No file was found, so nothing was queued."));
  return pickMany({ title, canGoBack: false, placeholder: l10n.t("Files to run on"), items });
}
