import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Watched } from "./watch-process.ts";

/**
 * A file of requests is imported and, once each has an answer, the results are exported, under a small heap: 200 MB, or as
 * many as the environment variable `BENCH_FILE_MB` says. Ends with 1 when a bound is not held.
 */
const HEAP_MB = 128;
/** Far less than the file: what is read is not kept. */
const MOST_MB = 450;
const megabytes = process.env["BENCH_FILE_MB"] ?? "200";

type Row = Watched & { readonly count: number };
interface Report {
  readonly lines: number;
  readonly imported: Row;
  readonly answered: Row;
  readonly exported: Row & { readonly megabytes: number };
}

const folder = await mkdtemp(path.join(tmpdir(), "batch-control-files-"));
try {
  const child = fileURLToPath(new URL("files-child.ts", import.meta.url));
  const options = [`--max-old-space-size=${HEAP_MB}`, child, folder, megabytes];
  const { stdout } = await promisify(execFile)(process.execPath, options);
  const { lines, imported, answered, exported } = JSON.parse(stdout) as Report;
  console.table({ [`import of ${megabytes} MB`]: imported, answers: answered, export: exported });
  const bounds = [
    {
      bound: `all ${lines} imported and exported`,
      value: exported.count,
      held: [imported.count, answered.count, exported.count].every((count) => count === lines),
    },
    {
      bound: `peak memory at most ${MOST_MB} MB`,
      value: Math.max(imported.peakMb, exported.peakMb),
      held: Math.max(imported.peakMb, exported.peakMb) <= MOST_MB,
    },
  ];
  console.table(bounds);
  process.exitCode = bounds.every(({ held }) => held) ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
