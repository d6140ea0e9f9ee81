import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";
import { root } from "./paths.ts";

/**
 * `npm run bench [-- PART OF A NAME…]`: runs the benches one after the other, for they measure the machine they run on. Ends
 * with 1 where a bench says that a bound does not hold.
 */
const folder = path.join(root, "test", "bench");
const wanted = process.argv.slice(2);
const benches = readdirSync(folder)
  .filter((name) => name.endsWith(".bench.ts"))
  .filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
const broken = benches.filter((name) => {
  console.log(`\n── ${name} ──`);
  return spawnSync(process.execPath, [path.join(folder, name)], { stdio: "inherit" }).status !== 0;
});
for (const name of broken) console.log(`Does not hold: ${name}`);
process.exit(benches.length > 0 && broken.length === 0 ? 0 : 1);
