// The first step of `npm start` and every test lane. It runs on whatever Node the machine has, before anything is
// installed, so it may import nothing but node: modules; all that follows runs on the Node 24 that `npm ci` brings.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, lstatSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import path from "node:path";

const root = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), "../..");
const modules = path.join(root, "node_modules");
const windows = process.platform === "win32";
const stages = {
  start: "test/support/start.ts",
  test: "test/support/lanes/main.ts",
  bench: "test/support/bench.ts",
};

function readJson(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

/**
 * npm writes `.package-lock.json` when an install is complete, so a broken-off one has none. Contents are compared, not
 * times: a checkout touches files without changing them.
 */
function upToDate() {
  const installed = readJson(path.join(modules, ".package-lock.json"))?.packages;
  const wanted = readJson(path.join(root, "package-lock.json")).packages;
  if (!installed || !existsSync(path.join(modules, ".bin", windows ? "node.cmd" : "node"))) return false;
  return Object.entries(wanted).every(([name, { version, optional, devOptional }]) => {
    if (name === "") return true;
    const found = installed[name];
    return found ? found.version === version : Boolean(optional || devOptional);
  });
}

function isLink(file) {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

function install() {
  // A linked folder belongs to another checkout: installing here would pull it from under that one's feet.
  if (isLink(modules) || upToDate()) return;
  console.log("Installing dependencies (npm ci)…");
  const done = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--ignore-scripts=false"], {
    cwd: root,
    encoding: "utf8",
    shell: windows,
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 64 * 1024 * 1024,
  });
  if (done.status !== 0) {
    console.error(done.error?.message ?? "", done.stdout ?? "", done.stderr ?? "");
    fail("npm ci failed: see above. The npm registry must be reachable for the first run.");
  }
  if (!upToDate()) fail("npm ci ended without an error, yet node_modules does not match package-lock.json.");
}

function fail(message) {
  console.error(message);
  if (process.argv[2] === "test") console.log("0 passed, 1 failed");
  process.exit(1);
}

function nextStage(script) {
  const bin = path.join(modules, ".bin");
  const node = path.join(modules, "node", "bin", windows ? "node.exe" : "node");
  const child = spawn(node, [path.join(root, script), ...process.argv.slice(3)], {
    cwd: root,
    env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH ?? ""}` },
    stdio: "inherit",
  });
  // The terminal sends Ctrl-C to both processes; a `kill` of this one must reach the child, which cleans up.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  // npm runs scripts through a shell that dies of a signal without passing it on: who has lost it stops, too.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event !== undefined) {
    setInterval(() => process.ppid !== parent && child.kill("SIGTERM"), 500).unref();
  }
  child.on("error", (error) => fail(`Could not start ${node}: ${error.message}`));
  child.on("exit", (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}

const script = stages[process.argv[2]];
if (!script) fail(`Usage: setup.mjs ${Object.keys(stages).join("|")} …`);
install();
nextStage(script);
