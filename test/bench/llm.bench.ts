import { execFile, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/**
 * 100,000 requests of 256 MB in all go out and their answers come in, once through the product under a small heap and once as
 * the SDK's documentation shows it. Ends with 1 when a bound is not held.
 */
const HEAP_MB = 128;
const MOST_MEMORY = 0.4;
const MOST_STALL_MS = 50;

interface Measured {
  readonly answered: number;
  readonly peakMb: number;
  readonly stallMs: number;
}

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const [requests = "100000", bytes = "256000000"] = process.argv.slice(2);

const server = spawn(process.execPath, [here("../support/simulator/main.ts"), "--auto-end-ms", "500"], {
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  const lines = createInterface({ input: server.stdout });
  const url = await new Promise<string>((resolve) => lines.once("line", resolve));
  const product = await measure("product", url, [`--max-old-space-size=${HEAP_MB}`]);
  const array = await measure("array", url, []);
  console.table({ "Batch Control": product, "batches.create with an array": array });
  const ratio = product.peakMb / array.peakMb;
  const bounds = [
    {
      bound: `all ${requests} answered`,
      value: product.answered,
      held: product.answered === Number(requests),
    },
    {
      bound: `peak memory at most ${MOST_MEMORY} of the other's`,
      value: ratio.toFixed(2),
      held: ratio <= MOST_MEMORY,
    },
    {
      bound: `no stall over ${MOST_STALL_MS} ms`,
      value: product.stallMs,
      held: product.stallMs <= MOST_STALL_MS,
    },
  ];
  console.table(bounds);
  process.exitCode = bounds.every(({ held }) => held) ? 0 : 1;
} finally {
  server.kill("SIGTERM");
}

async function measure(way: string, url: string, options: readonly string[]): Promise<Measured> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...options,
    here("llm-child.ts"),
    way,
    url,
    requests,
    bytes,
  ]);
  return JSON.parse(stdout) as Measured;
}
