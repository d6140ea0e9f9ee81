/** This process's environment without what a VS Code around it (a terminal, a debugger) puts in for its own children. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const own = /^(VSCODE_|ELECTRON_|GIT_(ASKPASS|DIR|WORK_TREE|INDEX_FILE|PREFIX)$|NODE_OPTIONS$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
}
