/** How `git commit -F` treats a message when no editor runs: builtin/commit.c, `commit.cleanup`. */
export type Cleanup = "strip" | "whitespace" | "verbatim";

export function cleanupOf(setting: string | undefined): Cleanup {
  switch (setting) {
    case "strip":
    case "verbatim":
      return setting;
    default:
      // `default` and `scissors` mean `whitespace` without an editor.
      return "whitespace";
  }
}

/** The message as the commit will hold it; empty where nothing is left. */
export function cleanMessage(message: string, cleanup: Cleanup, commentChar = "#"): string {
  if (cleanup === "verbatim") return message;
  const lines = message
    .split("\n")
    .filter((line) => cleanup !== "strip" || !line.startsWith(commentChar))
    .map((line) => line.replace(/[ \t\r]+$/, ""));
  const kept: string[] = [];
  for (const line of lines) if (line !== "" || (kept.length > 0 && kept.at(-1) !== "")) kept.push(line);
  while (kept.at(-1) === "") kept.pop();
  return kept.length === 0 ? "" : `${kept.join("\n")}\n`;
}
