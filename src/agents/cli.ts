// The program `batch-control`: it hands wishes on to an open window. Bundled by itself.
import process from "node:process";
import { addAbortSignal } from "node:stream";
import { plainText } from "../git/plain-text.ts";
import { WindowClient } from "./client.ts";
import { main } from "./command-line/main.ts";
import { textOf } from "./command-line/standard-input.ts";
import { ownVersion } from "./own-version.ts";
import { userFolder } from "./window-file.ts";

const { argv, env, stdin, stdout, stderr } = process;

function commandLine(): void {
  const stopped = new AbortController();
  const client = new WindowClient({
    userFolder: userFolder(),
    preferred: env["BATCH_CONTROL_WINDOW"],
    source: "cli",
  });

  // A second one ends the process, as without a listener.
  process.once("SIGINT", () => stopped.abort());
  let result = 0;
  let lost = false;
  // Until the end of the work, so that it is not 0 where that breaks off.
  process.exitCode = 1;
  const settle = (): void => void (process.exitCode = result === 0 && lost ? 1 : result);
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    // Who reads what is printed may have had enough of it.
    if (lost || error.code === "EPIPE") return;
    lost = true;
    stderr.write(`The answer could not be written (${error.code ?? error.name}).\n`);
    settle();
  });
  stderr.on("error", () => undefined);

  void main({
    args: argv.slice(2),
    cwd: () => process.cwd(),
    version: () => ownVersion(argv[1] ?? ""),
    call: (call, signal) => client.call(call, signal),
    readInput: () => textOf(addAbortSignal(stopped.signal, stdin)),
    // A model's answer may hold what moves a cursor; who reads it from a file or a pipe gets it as it is.
    print: (line) => stdout.write(`${stdout.isTTY ? plainText(line) : line}\n`),
    complain: (line) => stderr.write(`${plainText(line)}\n`),
    signal: stopped.signal,
  }).then((code) => {
    result = code;
    settle();
  });
}

// Programs that start an MCP server by its name find this one on the path.
if (argv[2] === "mcp") void import("./mcp.ts");
else commandLine();
