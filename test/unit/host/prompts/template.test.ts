import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { parsePromptFile } from "../../../../src/host/prompts/prompt-file.ts";
import { parseTemplate, questionsOf, render, uses } from "../../../../src/host/prompts/template.ts";

const values = {
  file: "text",
  selection: "some",
  relativePath: "src/a.ts",
  language: "typescript",
  inputs: {},
};

describe("A prompt's text", () => {
  it("gets its variables put in, each as often as it stands there", () => {
    const template = parseTemplate("${relativePath} (${language}):\n${file}\n${selection} ${file}");
    assert.equal(render(template, values), "src/a.ts (typescript):\ntext\nsome text");
  });

  it("is not searched again in what was put in", () => {
    const template = parseTemplate("${file}");
    assert.equal(render(template, { ...values, file: "a ${selection} $& b" }), "a ${selection} $& b");
  });

  it("keeps what is marked as text, a lone dollar, and braces", () => {
    const template = parseTemplate("use `\\${name}` for $5 and {x} and ${file}");
    assert.equal(render(template, values), "use `${name}` for $5 and {x} and text");
  });

  it("leaves what is not closed on its line, also where there is much of it", () => {
    const much = "${".repeat(100_000);
    assert.equal(render(parseTemplate(`${much}\n\${file}`), values), `${much}\ntext`);
    assert.equal(render(parseTemplate("${file ${\n}${file}"), values), "${file ${\n}text");
  });

  it("asks each question once, in order, with its hint", () => {
    const template = parseTemplate("${input:tone:How to say it} ${input:reader} ${input:tone}");
    assert.deepEqual(questionsOf(template), [
      { name: "tone", hint: "How to say it" },
      { name: "reader", hint: "" },
    ]);
    assert.equal(
      render(template, { ...values, inputs: { tone: "plain", reader: "you" } }),
      "plain you plain",
    );
    assert.throws(
      () => render(template, { ...values, inputs: { tone: "plain" } }),
      /^InputError: inputs\.reader: /,
    );
    assert.throws(
      () => render(parseTemplate("${input:toString}"), values),
      /^InputError: inputs\.toString: /,
    );
  });

  it("refuses variables that are not known, naming all of them", () => {
    assert.throws(
      () => parseTemplate("${fil} ${file} ${workspaceFolder} ${input:} ${fil}"),
      (error: Error) => {
        assert.match(error.message, /^prompt: does not know \$\{fil\}, \$\{workspaceFolder\}, \$\{input:\};/);
        return true;
      },
    );
  });

  it("knows which variables it uses", () => {
    const template = parseTemplate("${file}");
    assert.deepEqual([uses(template, "file"), uses(template, "selection")], [true, false]);
  });
});

describe("A prompt file", () => {
  const prompt = async (text: string) => {
    const { template, ...rest } = await parsePromptFile(text);
    return { ...rest, text: render(template, values) };
  };

  it("has a model and a description in its front matter", async () => {
    const text =
      "---\nmodel: claude-haiku-4-5 # small\ndescription: 'Reviews: one file'\ntools: [a]\n---\n\nReview ${file}\n";
    assert.deepEqual(await prompt(text), {
      model: "claude-haiku-4-5",
      description: "Reviews: one file",
      text: "Review text",
    });
  });

  it("needs no front matter, and keeps rules within the text", async () => {
    assert.deepEqual(await prompt("Review\n\n---\n\n${file}"), { text: "Review\n\n---\n\ntext" });
    assert.deepEqual(await prompt("---\n---\nReview"), { text: "Review" });
    assert.deepEqual(await prompt("\uFEFF---\r\nmodel: m\r\n---\r\nReview\r\n"), {
      model: "m",
      text: "Review",
    });
  });

  const bad: readonly (readonly [string, RegExp])[] = [
    ["", /^InputError: prompt: is empty/],
    ["---\nmodel: m\n---\n\n", /^InputError: prompt: is empty/],
    ["---\nmodel: [a\n---\nx", /^InputError: prompt: has front matter that is not YAML/],
    [
      "---\nmodel: !!js/function 'x'\n---\nx",
      /^InputError: prompt: has front matter that is not YAML: Unresolved tag/,
    ],
    ["---\nmodel: *none\n---\nx", /^InputError: prompt: has front matter that is not YAML: Unresolved alias/],
    ["---\n- a\n---\nx", /^InputError: prompt: has front matter that is no list of names/],
    [
      "---\nmodel: 5\n---\nx",
      /^InputError: prompt: has a model in its front matter, but it must be one text/,
    ],
    [
      "---\nmodel: [a, b]\n---\nx",
      /^InputError: prompt: has a model in its front matter, but it must be one text/,
    ],
    ["---\ndescription: ''\n---\nx", /^InputError: prompt: has a description/],
  ];
  for (const [text, message] of bad)
    it(`is refused as ${JSON.stringify(text)}, and nothing is told to the process`, async () => {
      const told: Error[] = [];
      const listen = (warning: Error): void => void told.push(warning);
      process.on("warning", listen);
      await assert.rejects(parsePromptFile(text), message);
      await setImmediate();
      process.off("warning", listen);
      assert.deepEqual(told, []);
    });
});
