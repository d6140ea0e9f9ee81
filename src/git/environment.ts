/** Inherited `GIT_*` variables that say how to reach a host, who commits or where the configuration is; all others aim git elsewhere. */
const kept =
  /^GIT_(SSH|SSH_COMMAND|SSH_VARIANT|SSL_\w+|PROXY_\w+|HTTP_\w+|CONFIG_(GLOBAL|SYSTEM|NOSYSTEM)|EXEC_PATH|(AUTHOR|COMMITTER)_(NAME|EMAIL)|TRACE2(_\w+)?)$/;
const interactive = new Set(["EDITOR", "VISUAL", "PAGER", "SSH_ASKPASS"]);

/**
 * The environment of every git process: nothing that points at another repository, English messages in UTF-8, nobody is
 * ever asked. An empty GIT_ASKPASS also switches `core.askPass` and SSH_ASKPASS off (prompt.c of git).
 */
export function gitEnvironment(
  base: Readonly<NodeJS.ProcessEnv>,
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return {
    ...filtered(base, (name) => kept.test(name) || (!name.startsWith("GIT_") && !interactive.has(name))),
    LC_ALL: "C.UTF-8",
    LANGUAGE: "en",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "",
    SSH_ASKPASS_REQUIRE: "never",
    GCM_INTERACTIVE: "never",
    GIT_EDITOR: "true",
    GIT_SEQUENCE_EDITOR: "true",
    GIT_PAGER: "cat",
    ...extra,
  };
}

/** For the user's own commands: everything but what git set. */
export const scrubbedEnvironment = (base: Readonly<NodeJS.ProcessEnv>): Record<string, string> =>
  filtered(base, (name) => !name.startsWith("GIT_"));

function filtered(
  base: Readonly<NodeJS.ProcessEnv>,
  keep: (name: string) => boolean,
): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const [name, value] of Object.entries(base)) {
    if (value !== undefined && keep(name)) clean[name] = value;
  }
  return clean;
}
