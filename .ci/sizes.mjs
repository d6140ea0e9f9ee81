// Compares what `npm run package` built with its budgets. The only place where the budgets are kept.
import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import process from "node:process";

/** In kB of 1024 bytes. */
const budgets = {
  "batch-control.vsix": 700,
  "dist/extension.cjs": 600,
  "dist/lazy/anthropic.cjs": 550,
  "dist/lazy/openai.cjs": 500,
  "dist/lazy/prices.cjs": 550,
  "dist/lazy/simple-git.cjs": 90,
  "dist/lazy/yaml.cjs": 140,
  "dist/askpass.cjs": 5,
  "dist/mcp.cjs": 178,
  "dist/cli.cjs": 35,
  "dist/panel.js": 150,
  "dist/codicons/codicon.css": 5,
  "dist/codicons/codicon.ttf": 8,
};

const root = path.resolve(import.meta.dirname, "..");
const built = readdirSync(path.join(root, "dist"), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
const problems = built.filter((file) => !(file in budgets)).map((file) => `${file} has no budget`);

for (const [file, budget] of Object.entries(budgets)) {
  const full = path.join(root, file);
  if (!existsSync(full)) {
    problems.push(`${file} was not built`);
    continue;
  }
  const size = statSync(full).size / 1024;
  console.log(`${file}  ${size.toFixed(1)} of ${budget} kB`);
  if (size > budget) problems.push(`${file} is ${(size - budget).toFixed(1)} kB over its budget`);
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
