import { execFileSync, spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const elsewhere = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/opt/google/chrome/chrome",
];

/** What a headless Chromium needs in a container, and to stay silent on the network. */
export const chromiumFlags: readonly string[] = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** An installed Chrome or Chromium. Throws where a variable names a file that cannot be run. */
export function findChromium(): string | undefined {
  for (const variable of ["CHROME_PATH", "CHROMIUM_PATH"]) {
    const file = process.env[variable];
    if (!file) continue;
    if (!isExecutable(file)) throw new Error(`${variable} names ${file}, which is no executable file.`);
    return file;
  }
  return findOnPath(names) ?? elsewhere.find(isExecutable);
}

/** Finds one, or installs it where that needs no question: as root on Debian. Throws with what to do otherwise. */
export function ensureChromium(): string {
  const found = findChromium();
  if (found !== undefined) return found;
  const advice =
    "No Chrome or Chromium was found. Install one (Debian, Ubuntu: apt-get install chromium), or name it in CHROME_PATH.";
  if (process.getuid?.() !== 0 || !isDebian()) throw new Error(advice);
  console.log("Installing Chromium (apt-get install chromium)…");
  for (const args of [["update"], ["install", "-y", "--no-install-recommends", "chromium"]]) {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const done = spawnSync("apt-get", args, { env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    if (done.status !== 0) {
      const said = done.error?.message ?? done.stdout + done.stderr;
      throw new Error(`${advice}\napt-get ${args.join(" ")} failed: ${said}`);
    }
  }
  const installed = findChromium();
  if (installed === undefined) throw new Error(advice);
  return installed;
}

/** The version line it prints, which also shows that it runs at all. */
export function chromiumVersion(executable: string): string {
  return execFileSync(executable, ["--version", "--no-sandbox"], { encoding: "utf8", stdio: "pipe" }).trim();
}

export function findOnPath(candidates: readonly string[]): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(path.delimiter).filter((folder) => folder !== "");
  return candidates.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function isDebian(): boolean {
  return (
    existsSync("/etc/os-release") && /^ID(_LIKE)?=.*debian/m.test(readFileSync("/etc/os-release", "utf8"))
  );
}
