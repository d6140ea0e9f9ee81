/** What the sample repository holds before any agent has begun. */
export const baseFiles: Readonly<Record<string, string>> = {
  "README.md": "# Shop\n\nA basket, a price list and a receipt.\n",
  "src/basket.js": `export function addItem(basket, item) {
  return [...basket, item];
}
`,
  "src/prices.js": `export const prices = { apple: 40, bread: 250, cheese: 620 };
`,
  "src/receipt.js": `export function receipt(basket) {
  return basket.join("\\n");
}
`,
  "prompts/review.md": `Read the file below and name the first mistake that a customer would notice.
Answer in one sentence.
`,
  "prompts/tidy.prompt.md": `---
description: Makes one file simpler without changing what it does
model: claude-haiku-4-5
---
Make \${relativePath} simpler for a reader who knows \${language}. Keep what it does.
Pay attention to \${input:focus:What to pay attention to}.
Answer with the whole new file in one fenced block and nothing else.

\${file}
`,
  "prompts/requests.jsonl": [
    [
      "basket-count",
      "implementer",
      "Write a JavaScript function countItems(basket) that counts equal items.",
    ],
    ["basket-total", "implementer", "Write a JavaScript function total(basket, prices) that returns cents."],
    [
      "receipt-line",
      "implementer",
      "Write a JavaScript function receiptLine(item, cents) for a 40 column printer.",
    ],
    [
      "judge-names",
      "judge",
      "Are addItem, prices and receipt good names in a shop? Answer yes or no, with one reason.",
    ],
    [
      "plan-refunds",
      "planner",
      "List the steps to add refunds to a shop with a basket, a price list and a receipt.",
    ],
  ]
    .map(
      ([id, type, prompt]) =>
        `${JSON.stringify({ id, type, model: "claude-haiku-4-5", prompt, maxTokens: 300 })}\n`,
    )
    .join(""),
};

/** What each agent's worktree has changed: every one a tracked file and a new one, none the same file as another. */
export const agentChanges: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  one: {
    "src/basket.js": `export function addItem(basket, item) {
  return [...basket, item];
}

export function removeItem(basket, item) {
  const at = basket.indexOf(item);
  return at === -1 ? basket : basket.toSpliced(at, 1);
}
`,
    "test/basket.test.js": `import assert from "node:assert/strict";
import { addItem, removeItem } from "../src/basket.js";

assert.deepEqual(removeItem(addItem([], "apple"), "apple"), []);
`,
  },
  two: {
    "src/prices.js": `export const prices = { apple: 40, bread: 250, cheese: 620, milk: 130 };
`,
    "src/total.js": `import { prices } from "./prices.js";

export function total(basket) {
  return basket.reduce((sum, item) => sum + prices[item], 0);
}
`,
  },
  three: {
    "src/receipt.js": `export function receipt(basket) {
  return ["Shop", ...basket, "Thank you"].join("\\n");
}
`,
    "docs/receipt.md": "# The receipt\n\nIt starts with the shop's name and ends with a thank-you.\n",
  },
};
