import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

/** What each room may import, besides itself. */
const below: Readonly<Record<string, readonly string[]>> = {
  core: [],
  journal: ["core"],
  runner: ["core"],
  git: ["core"],
  llm: ["core"],
  agents: ["core", "journal", "runner", "git", "llm"],
  host: ["core", "journal", "runner", "git", "llm", "protocol.ts"],
  webview: ["protocol.ts"],
};
const src = path.join(import.meta.dirname, "../../src");
const root = path.join(src, "..");

async function imports(file: string): Promise<{ specifier: string; typeOnly: boolean }[]> {
  const text = await readFile(file, "utf8");
  const found = text.matchAll(/^(?:import|export)\s+(type\s)?[^;]*?from\s+"([^"]+)"|import\("([^"]+)"\)/gm);
  return [...found].map(([, type, from, dynamic]) => ({
    specifier: from ?? dynamic ?? "",
    typeOnly: type !== undefined,
  }));
}

async function sources(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names.filter((name) => name.endsWith(".ts")).map((name) => path.join(folder, name));
}

describe("layers", () => {
  for (const [room, allowed] of Object.entries(below)) {
    it(`${room} imports only from ${allowed.join(", ") || "itself"}`, async () => {
      const folder = room === "webview" ? path.join(root, room) : path.join(src, room);
      const wrong: string[] = [];
      for (const file of await sources(folder)) {
        for (const { specifier } of await imports(file)) {
          if (!specifier.startsWith(".")) continue;
          const target = path.resolve(path.dirname(file), specifier);
          if (target.startsWith(folder + path.sep)) continue;
          if (
            !allowed.some(
              (name) => target === path.join(src, name) || target.startsWith(path.join(src, name) + path.sep),
            )
          ) {
            wrong.push(`${path.relative(root, file)} imports ${specifier}`);
          }
        }
      }
      assert.deepEqual(wrong, []);
    });
  }

  it("only the host and the composition root import vscode", async () => {
    const users = [];
    for (const file of await sources(src)) {
      if ((await imports(file)).some(({ specifier }) => specifier === "vscode"))
        users.push(path.relative(src, file));
    }
    assert.deepEqual(
      users.filter((file) => !file.startsWith("host" + path.sep) && file !== "extension.ts"),
      [],
    );
  });

  it("core needs nothing but valibot at run time", async () => {
    for (const file of await sources(path.join(src, "core"))) {
      for (const { specifier, typeOnly } of await imports(file)) {
        assert.ok(
          specifier.startsWith(".") || specifier === "valibot" || typeOnly,
          `${file} imports ${specifier}`,
        );
      }
    }
  });

  it("keeps every source under 400 lines and most under 100", async () => {
    const files = [...(await sources(src)), ...(await sources(path.join(root, "webview")))];
    const lengths = await Promise.all(
      files.map(async (file) => ({
        file: path.relative(root, file),
        lines: (await readFile(file, "utf8")).split("\n").length - 1,
      })),
    );
    assert.deepEqual(
      lengths.filter(({ lines }) => lines > 400),
      [],
    );
    const sorted = lengths.map(({ lines }) => lines).sort((a, b) => a - b);
    assert.ok(sorted[Math.floor(sorted.length / 2)]! < 100, "the median is under 100 lines");
  });
});
