import assert from "node:assert/strict";
import { mkdir, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promptCommands } from "../../../../src/host/commands/prompts.ts";
import { numbersIn } from "../../../../src/host/numbers.ts";
import { costText } from "../../../../src/host/prompts/cost-text.ts";
import { parsePromptRun, relativeTo, requestsOf } from "../../../../src/host/prompts/prompt-run.ts";
import { openRequestDesk } from "../../../support/host/request-desk.ts";
import type { RequestDesk } from "../../../support/host/request-desk.ts";
import { fill } from "../../../support/host/translate.ts";

const MODEL = "claude-haiku-4-5";

describe("A prompt run", () => {
  let desk: RequestDesk;
  let selection = "";
  const unsaved = new Map<string, string>();
  const around = {
    folders: () => [desk.folder],
    unsaved: (path: string) => unsaved.get(path),
    selection: () => selection,
    language: (path: string) => Promise.resolve(path.endsWith(".js") ? "javascript" : "plaintext"),
    defaultModel: () => MODEL,
  };
  const at = (name: string): string => join(desk.folder, name);
  const run = (input: unknown) => {
    const commands = promptCommands(desk, around, () => Promise.reject(new Error("Nobody is asked.")));
    return commands.runPromptOnFiles.fromCode(input);
  };

  beforeEach(async () => {
    desk = await openRequestDesk();
    selection = "";
    unsaved.clear();
    await mkdir(at("src"));
    await writeFile(at("src/a.js"), "let a;\n");
    await writeFile(at("src/b.js"), "let b;\n");
    await writeFile(
      at("review.prompt.md"),
      "---\nmodel: claude-opus-5-5\n---\nReview ${relativePath}:\n${file}",
    );
  });
  afterEach(() => desk.close());

  it("queues one request for each file, in order, in one group", async () => {
    const { ids } = await run({
      prompt: { text: "Review ${relativePath} in ${language}:\n${file}" },
      files: [at("src/b.js"), "src/a.js"],
      type: "judge",
    });
    const queued = desk.llm.getQueuedOps();
    assert.deepEqual(
      queued.map(({ id }) => id),
      ids,
    );
    assert.deepEqual([...desk.llm.groupByTypeAndModel().keys()], [`llm:anthropic/judge/${MODEL}`]);
    const inputs = await Promise.all(ids.map((id) => desk.llm.inputOf(id)));
    assert.deepEqual(
      inputs.map(({ id, prompt }) => [id, prompt]),
      [
        ["src/b.js", "Review src/b.js in javascript:\nlet b;\n"],
        ["src/a.js", "Review src/a.js in javascript:\nlet a;\n"],
      ],
    );
    assert.equal((await desk.llm.flush()).length, 1);
  });

  it("takes the model from the argument, then the prompt file, then the setting", async () => {
    const files = [at("src/a.js")];
    const prompt = { uri: pathToFileURL(at("review.prompt.md")).href };
    const models = async (input: object) =>
      (await requestsOf(parsePromptRun({ files, ...input }), around)).map(({ model, type }) => [model, type]);
    assert.deepEqual(await models({ prompt, model: "gpt-6-sol", type: "x" }), [["gpt-6-sol", "x"]]);
    assert.deepEqual(await models({ prompt }), [["claude-opus-5-5", "prompt"]]);
    assert.deepEqual(await models({ prompt: { uri: at("review.prompt.md") } }), [
      ["claude-opus-5-5", "prompt"],
    ]);
    assert.deepEqual(await models({ prompt: { text: "x" } }), [[MODEL, "prompt"]]);
  });

  it("takes what an editor holds unsaved, and what is selected", async () => {
    unsaved.set(at("src/a.js"), "let newer;");
    selection = "newer";
    const input = { prompt: { text: "${selection} in ${file}" }, files: [at("src/a.js")] };
    const [request] = await requestsOf(parsePromptRun(input), around);
    assert.equal(request?.prompt, "newer in let newer;");
  });

  it("answers what the prompt asks for", async () => {
    const input = { prompt: { text: "Say ${input:word}" }, files: [at("src/a.js")], inputs: { word: "yes" } };
    const [request] = await requestsOf(parsePromptRun(input), around);
    assert.equal(request?.prompt, "Say yes");
  });

  const files = ["FOLDER/src/a.js"];
  const text = { text: "${file}" };
  const bad: readonly (readonly [string, unknown, RegExp])[] = [
    ["no argument", undefined, /^argument: is missing/],
    ["no prompt", { files }, /^prompt: /],
    ["two prompts", { prompt: { ...text, uri: "/x" }, files }, /^prompt/],
    ["no files", { prompt: text }, /^files: /],
    ["an empty list of files", { prompt: text, files: [] }, /^files: is empty/],
    ["a file that is no text", { prompt: text, files: [3] }, /^files\.0: must be the path/],
    ["an unknown field", { prompt: text, files, colour: "red" }, /^colour: /],
    ["an empty model", { prompt: text, files, model: "" }, /^model: /],
    [
      "a missing prompt file",
      { prompt: { uri: "FOLDER/none.prompt.md" }, files },
      /^prompt\.uri: .*none\.prompt\.md does not exist/,
    ],
    [
      "a prompt from the web",
      { prompt: { uri: "https://example.com/x.prompt.md" }, files },
      /^prompt\.uri: must be a file/,
    ],
    ["an unknown variable", { prompt: { text: "${files}" }, files }, /^prompt: does not know \$\{files\}/],
    ["an unanswered question", { prompt: { text: "${input:word}" }, files }, /^inputs\.word: is missing/],
    [
      "no selection",
      { prompt: { text: "${selection}" }, files },
      /^prompt: uses \$\{selection\}, but nothing/,
    ],
    [
      "a missing file",
      { prompt: text, files: [...files, "FOLDER/none.js"] },
      /^files\.1: .*none\.js does not exist/,
    ],
    ["a folder", { prompt: text, files: ["FOLDER/src"] }, /^files\.0: .*src is not a file/],
    [
      "a binary file",
      { prompt: text, files: [...files, "FOLDER/picture.png"] },
      /^files\.1: .*picture\.png is binary/,
    ],
    [
      "a file in Latin-1",
      { prompt: text, files: ["FOLDER/latin.txt"] },
      /^files\.0: .*latin\.txt is not UTF-8/,
    ],
    [
      "a huge file",
      { prompt: text, files: [...files, "FOLDER/huge.txt"] },
      /^files\.1: .*huge\.txt is 5\.0 MB/,
    ],
    [
      "a retired model",
      { prompt: text, files, model: "claude-mythos-preview" },
      /^model: claude-mythos-preview was retired/,
    ],
  ];
  for (const [what, input, message] of bad)
    it(`refuses ${what}, naming it, and queues nothing`, async () => {
      await writeFile(at("picture.png"), Buffer.from([0x89, 0x50, 0, 1]));
      await writeFile(at("latin.txt"), Buffer.from([0x67, 0xfc, 0x6e]));
      await writeFile(at("huge.txt"), "");
      await truncate(at("huge.txt"), 5_000_000);
      const filled: unknown =
        input === undefined ? input : JSON.parse(JSON.stringify(input).replaceAll("FOLDER", desk.folder));
      await assert.rejects(
        run(filled),
        (error: Error) => message.test(error.message) || assert.fail(error.message),
      );
      assert.equal(desk.llm.queueSize(), 0);
      assert.deepEqual(await desk.journal.operations({ limit: 10 }), []);
    });

  it("is refused whole where one of its requests is", async () => {
    await writeFile(at("blank.txt"), "  \n");
    const input = { prompt: { text: "${file}" }, files: [at("src/a.js"), at("blank.txt")] };
    await assert.rejects(run(input), /^InputError: files\.1: .*blank\.txt is empty/);
    assert.deepEqual(await desk.journal.operations({ limit: 10 }), []);
  });

  it("tells what it may cost before it is queued", async () => {
    const requests = await requestsOf(
      parsePromptRun({ prompt: text, files: [at("src/a.js")], model: "claude-opus-5-5" }),
      around,
    );
    const estimate = await desk.requests.estimate(requests);
    assert.equal(estimate.requests, 1);
    assert.ok(estimate.tokens.input > 0 && estimate.leastUsd > 0 && estimate.mostUsd > estimate.leastUsd);
    assert.equal(
      costText(
        { ...estimate, tokens: { input: 1234, output: 4096 }, leastUsd: 0.0123, mostUsd: 0.5 },
        numbersIn("en"),
        fill,
      ),
      "about 1,234 tokens in, at most 4,096 out · $0.012 to $0.50 · estimated from the length of the text",
    );
    assert.match(costText({ ...estimate, unpriced: 1 }, numbersIn("en"), fill), /price unknown/);
  });

  it("sends a file once, however often and under whatever path it is named", async () => {
    const files = [at("src/a.js"), at("src/b.js"), "src/a.js", at("src/../src/a.js")];
    const { ids } = await run({ prompt: text, files });
    const inputs = await Promise.all(ids.map((id) => desk.llm.inputOf(id)));
    assert.deepEqual(
      inputs.map(({ id }) => id),
      ["src/a.js", "src/b.js"],
    );
  });

  it("tells the same file of several folders apart, and tells the model its path alone", async () => {
    await mkdir(at("one/src"), { recursive: true });
    await mkdir(at("two/src"), { recursive: true });
    const both = [at("one/src/a.js"), at("two/src/a.js")];
    for (const file of both) await writeFile(file, "x");
    const open = { ...around, folders: () => [at("one"), at("two")] };
    const requests = await requestsOf(
      parsePromptRun({ prompt: { text: "Look at ${relativePath}" }, files: both }),
      open,
    );
    assert.deepEqual(
      requests.map(({ id, prompt }) => [id, prompt]),
      [
        ["one/src/a.js", "Look at src/a.js"],
        ["two/src/a.js", "Look at src/a.js"],
      ],
    );
  });

  it("refuses a file that a link takes out of the open folders, and queues nothing", async () => {
    await mkdir(at("open"));
    await mkdir(at("secret"));
    await writeFile(at("secret/key.txt"), "hunter2");
    await symlink(at("secret"), at("open/out"));
    const open = { ...around, folders: () => [at("open")] };
    const asked = requestsOf(parsePromptRun({ prompt: text, files: [at("open/out/key.txt")] }), open);
    await assert.rejects(
      asked,
      /^InputError: files\.0: .*out\/key\.txt leads out of the open folders by a link/,
    );
    const [named] = await requestsOf(parsePromptRun({ prompt: text, files: [at("secret/key.txt")] }), open);
    assert.equal(named?.id, "key.txt", "a path that says where it leads is taken");
  });

  it("names a file by its innermost folder, and one outside by its name alone", () => {
    assert.equal(relativeTo(["/w", "/w/inner"], "/w/inner/src/a.js"), "src/a.js");
    assert.equal(relativeTo(["/w"], "/elsewhere/secret/a.js"), "a.js");
    assert.equal(relativeTo(["/w"], "/w/..foo/a.js"), "..foo/a.js");
  });
});
