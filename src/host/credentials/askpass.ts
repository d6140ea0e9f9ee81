// What git runs when it needs a user name or a password: a process of its own that passes the question on to the window
// which started the push. It prints the answer, or ends with 1 where there is none. Bundled by itself.
import { spawnSync } from "node:child_process";
import { createConnection } from "node:net";
import process from "node:process";

const OWN_LIMIT_MS = 8_000;
const LIMIT_MS = 9_000;
const {
  ELECTRON_RUN_AS_NODE: _,
  BATCH_CONTROL_ASKPASS_HANDLE: handle,
  BATCH_CONTROL_ASKPASS_TOKEN: token,
  BATCH_CONTROL_ASKPASS_OWN: own,
  ...environment
} = process.env;
const prompt = process.argv[2] ?? "";

function answer(text: string): void {
  process.exitCode = text === "" ? 1 : 0;
  if (text !== "") process.stdout.write(`${text}\n`);
}

function askWindow(): void {
  let said = "";
  const socket = createConnection(handle ?? "", () => socket.write(`${JSON.stringify({ token, prompt })}\n`));
  socket.setEncoding("utf8");
  socket.setTimeout(LIMIT_MS, () => socket.destroy());
  socket.on("data", (piece: string) => (said += piece));
  // The close that follows it ends this process without an answer.
  socket.on("error", () => undefined);
  socket.on("close", () => answer(said));
}

/** The user's own program goes first. One that waits for somebody is ended, and nobody else is asked then. */
function askOwn(program: string): void {
  const { stdout, error } = spawnSync(program, [prompt], {
    encoding: "utf8",
    env: environment,
    stdio: ["ignore", "pipe", "ignore"],
    timeout: OWN_LIMIT_MS,
    killSignal: "SIGKILL",
  });
  const [line = ""] = error ? [] : stdout.split(/\r?\n/, 1);
  if (line !== "") answer(line);
  else if (error && "code" in error && error.code === "ETIMEDOUT") answer("");
  else askWindow();
}

if (own === undefined) askWindow();
else askOwn(own);
