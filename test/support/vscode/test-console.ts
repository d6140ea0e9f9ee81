import { format } from "node:util";
import { isNoise } from "./noise.ts";

/**
 * A receiver for the workbench's `codeAutomationLog(type, args)`: writes on what the windows' and the extension host's
 * consoles say.
 */
export function testConsole(out: NodeJS.WritableStream): (type: string, args: readonly unknown[]) => void {
  return (_type, args) => {
    const text = format(...args);
    if (!isNoise(text)) out.write(`${text}\n`);
  };
}
