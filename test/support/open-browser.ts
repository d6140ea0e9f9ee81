import { spawn } from "node:child_process";

/** Shows the address in the default browser, where there is a screen for one. Never fails: the address is printed, too. */
export function openBrowser(url: string): void {
  const command = browserCommand(url);
  if (command === undefined) return;
  const child = spawn(command[0], command.slice(1), { detached: true, stdio: "ignore" });
  child.once("error", () => undefined);
  child.unref();
}

function browserCommand(url: string): readonly [string, ...string[]] | undefined {
  if (process.env["CI"] !== undefined) return undefined;
  switch (process.platform) {
    case "darwin":
      return ["open", url];
    case "win32":
      return ["explorer.exe", url];
    default:
      return process.env["DISPLAY"] || process.env["WAYLAND_DISPLAY"] ? ["xdg-open", url] : undefined;
  }
}
