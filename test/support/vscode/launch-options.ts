/** What `runTests` of `@vscode/test-electron` puts on the command line of a VS Code. */
export interface LaunchOptions {
  readonly folder: string | undefined;
  readonly extension: string;
  readonly tests: string;
  readonly trusted: boolean;
}

/** Throws when a path is missing; switches that mean nothing to a server in a browser are passed over. */
export function parseLaunchOptions(args: readonly string[]): LaunchOptions {
  const value = (name: string): string | undefined => {
    const prefix = `--${name}=`;
    return args.find((arg) => arg.startsWith(prefix))?.slice(prefix.length);
  };
  const extension = value("extensionDevelopmentPath");
  const tests = value("extensionTestsPath");
  if (extension === undefined || tests === undefined) {
    throw new Error("Both --extensionDevelopmentPath= and --extensionTestsPath= are needed.");
  }
  const folder = args.find((arg) => !arg.startsWith("-"));
  return { folder, extension, tests, trusted: args.includes("--disable-workspace-trust") };
}
