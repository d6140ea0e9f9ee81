import { build } from "esbuild";
import { rm, stat } from "node:fs/promises";
import path from "node:path";
import { writeCodicons } from "./codicons.mjs";

const production = process.argv.includes("--production");
const common = {
  bundle: true,
  minify: production,
  sourcemap: production ? false : "linked",
  metafile: true,
  logLevel: "warning",
};

/**
 * Large packages that only some work needs: each a bundle of its own, read when it is first imported. What is in the main
 * one is compiled before a window can go on.
 */
const lazy = {
  "@anthropic-ai/sdk": "./lazy/anthropic.cjs",
  openai: "./lazy/openai.cjs",
  "@pydantic/genai-prices": "./lazy/prices.cjs",
  "simple-git": "./lazy/simple-git.cjs",
  yaml: "./lazy/yaml.cjs",
};

/** Leaves `import("name")` in the code, pointing to a bundle; `files` has its path by name. */
const importLazily = (files) => ({
  name: "import-lazily",
  setup(esbuild) {
    esbuild.onResolve({ filter: /.*/ }, ({ path: name, kind }) =>
      kind === "dynamic-import" && name in files ? { path: files[name], external: true } : undefined,
    );
  },
});

/**
 * The MCP server asks its client nothing, so it needs no checker of JSON schemas for the answers, which would be half of the
 * bundle. The SDK makes one in any case.
 */
const withoutQuestions = {
  name: "without-questions",
  setup(esbuild) {
    esbuild.onLoad({ filter: /sdk[\\/]dist[\\/]esm[\\/]validation[\\/]ajv-provider\.js$/ }, () => ({
      contents: "export class AjvJsonSchemaValidator {}",
    }));
  },
};

const node = { platform: "node", format: "cjs", target: "node24", outExtension: { ".js": ".cjs" } };

/** One entry a bundle; the panel is the only one that runs in a browser. */
const bundles = [
  {
    entryPoints: { extension: "src/extension.ts", askpass: "src/host/credentials/askpass.ts" },
    outdir: "dist",
    ...node,
    external: ["vscode"],
    plugins: [importLazily(lazy)],
  },
  // Of no use without an open window, so they are programs of their own and read nothing that they do not need. Other programs
  // start the second with a Node of theirs.
  {
    entryPoints: { cli: "src/agents/cli.ts" },
    outdir: "dist",
    ...node,
    plugins: [importLazily({ "./mcp.ts": "./mcp.cjs" })],
  },
  {
    entryPoints: { mcp: "src/agents/mcp.ts" },
    outdir: "dist",
    ...node,
    target: "node22",
    plugins: [withoutQuestions],
  },
  {
    entryPoints: Object.entries(lazy).map(([name, out]) => ({ in: name, out: path.basename(out, ".cjs") })),
    outdir: "dist/lazy",
    ...node,
  },
  {
    entryPoints: { panel: "webview/panel.ts" },
    outdir: "dist",
    platform: "browser",
    format: "esm",
    target: "es2023",
  },
];

await rm("dist", { recursive: true, force: true });
const sizes = [];
for (const bundle of bundles) {
  const result = await build({ ...common, ...bundle });
  for (const [file, output] of Object.entries(result.metafile.outputs)) {
    if (!file.endsWith(".map")) sizes.push([file, output.bytes]);
  }
}
for (const file of await writeCodicons("webview", "dist/codicons")) {
  sizes.push([file, (await stat(file)).size]);
}
for (const [file, bytes] of sizes) console.log(`${file}  ${(bytes / 1024).toFixed(1)} kB`);
