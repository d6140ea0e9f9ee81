import { build } from "esbuild";
import { rm, stat } from "node:fs/promises";
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
  "@anthropic-ai/sdk": "anthropic",
  openai: "openai",
  "@pydantic/genai-prices": "prices",
  "simple-git": "simple-git",
  yaml: "yaml",
};

/** Leaves `import("package")` in the code, pointing to the package's own bundle. */
const importLazily = {
  name: "import-lazily",
  setup(esbuild) {
    esbuild.onResolve({ filter: /.*/ }, ({ path: name, kind }) =>
      kind === "dynamic-import" && name in lazy
        ? { path: `./lazy/${lazy[name]}.cjs`, external: true }
        : undefined,
    );
  },
};

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
    plugins: [importLazily],
  },
  // Of no use without an open window, so they are programs of their own and read nothing that they do not need.
  { entryPoints: { cli: "src/agents/cli.ts" }, outdir: "dist", ...node },
  {
    entryPoints: Object.entries(lazy).map(([name, out]) => ({ in: name, out })),
    outdir: "dist/lazy",
    ...node,
  },
  {
    entryPoints: { mcp: "src/agents/mcp.ts" },
    outdir: "dist",
    ...node,
    // It is also started by other programs, with their own Node.
    target: "node22",
    plugins: [withoutQuestions],
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
