export const providers = ["anthropic", "openai"] as const;
export type Provider = (typeof providers)[number];

/** The same in every language. */
export const providerNames: Readonly<Record<Provider, string>> = { anthropic: "Anthropic", openai: "OpenAI" };

/** The environment variables that give a key where none is stored. */
export const keyVariables: Readonly<Record<Provider, string>> = {
  anthropic: "ANTHROPIC_API_KEY",
  openai: "OPENAI_API_KEY",
};

/** The environment for programs that this window starts: a key goes to its provider and to nobody else. */
export function withoutKeys(environment: Readonly<NodeJS.ProcessEnv>): NodeJS.ProcessEnv {
  const names = Object.values(keyVariables);
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !names.includes(name)));
}
