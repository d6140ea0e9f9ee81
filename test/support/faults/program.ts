import { build } from "esbuild";
import path from "node:path";
import { outDir } from "../paths.ts";

let built: Promise<string> | undefined;

/** The child as one file, so that it starts fast; made once a run. */
export function program(): Promise<string> {
  built ??= bundle();
  return built;
}

async function bundle(): Promise<string> {
  const outdir = path.join(outDir, "faults");
  await build({
    entryPoints: [path.join(import.meta.dirname, "child.ts")],
    outdir,
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node24",
    outExtension: { ".js": ".mjs" },
    logLevel: "warning",
    banner: {
      js: `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);`,
    },
  });
  return path.join(outdir, "child.mjs");
}
