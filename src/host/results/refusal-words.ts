import type { Translate } from "../l10n.ts";
import type { Unreadable } from "./proposals.ts";
import type { PathRefusal } from "./safe-path.ts";

/** Why what an answer has for a file cannot be read. */
export function unreadableText(reason: Unreadable, t: Translate): string {
  switch (reason) {
    case "bad-diff":
      return t("the diff is not well-formed");
    case "rename":
      return t("the diff renames or copies the file, which is not supported");
    case "binary":
      return t("the diff is of a binary file");
    case "mode":
      return t("the diff changes nothing but permissions, which is not supported");
    case "nested":
      return t("a block within its block may have ended it early, so its end is not certain");
    case "unclosed":
      return t("its block is never closed, so the end of the file may be missing");
  }
}

/** Why a path that an answer names is not written to. */
export function pathRefusalText(reason: PathRefusal, t: Translate): string {
  switch (reason) {
    case "empty":
      return t("it names no file");
    case "absolute":
      return t("its path is absolute");
    case "climbs":
      return t("its path leaves the folder");
    case "git-folder":
      return t("it lies in a .git folder");
    case "invisible":
      return t("its name holds characters that are not shown");
    case "outside":
      return t("a symbolic link on its path leads outside the folder");
    case "too-long":
      return t("its name is longer than the file system takes");
    case "unreachable":
      return t("what its path leads to cannot be read");
    case "through-file":
      return t("a part of its path is a file, so nothing can lie below it");
    case "folder":
      return t("it is a folder, not a file");
    case "no-folder":
      return t("no folder is open");
    case "ambiguous":
      return t("it could lie in more than one of the open folders");
  }
}
