import { format } from "node:util";

/** Known to be harmless: native modules that the server build lacks and a test run does not need. */
const noise = [/Could not locate the bindings file/, /build\/Release\/watchdog/];

/**
 * A receiver for the workbench's `codeAutomationLog(type, args)`: writes on what the windows' and the extension host's
 * consoles say.
 */
export function testConsole(out: NodeJS.WritableStream): (type: string, args: readonly unknown[]) => void {
  return (_type, args) => {
    const text = format(...args);
    if (!noise.some((pattern) => pattern.test(text))) out.write(`${text}\n`);
  };
}
