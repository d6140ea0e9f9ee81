import assert from "node:assert/strict";
import { toolTexts } from "../../src/agents/tool-texts.ts";
import { commitInput, llmRequestInput, mergeInput, pushInput } from "../../src/core/schema/inputs.ts";
import { toolTable } from "../../src/host/tools/table.ts";
import { ManifestReader } from "../support/host/manifest.ts";

interface Schema {
  readonly type?: string;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

interface Entries {
  readonly entries: Readonly<Record<string, { readonly type: string }>>;
}
const fields = ({ entries }: Entries): string[] => Object.keys(entries).sort();
const needed = ({ entries }: Entries): string[] =>
  Object.keys(entries)
    .filter((name) => entries[name]!.type !== "optional")
    .sort();

const schemaOf = (name: string): Schema => {
  const tool = toolTexts.find((each) => each.name === `batchControl_${name}`);
  assert.ok(tool, name);
  return tool.inputSchema;
};

describe("The language-model tools of the manifest", () => {
  const names = [
    "batchControl_enqueueGit",
    "batchControl_enqueueRequests",
    "batchControl_flush",
    "batchControl_state",
  ];
  let reader: ManifestReader;

  before(async () => {
    reader = await ManifestReader.read();
  });

  it("have the agreed names, each with code behind it", () => {
    const table = toolTable({ parts: {}, table: {}, funnel: {} } as never);
    assert.deepEqual(
      reader.manifest.contributes.languageModelTools.map(({ name }) => name),
      names,
    );
    assert.deepEqual([...table.keys()], names);
  });

  it("tell models in the editor what others are told", () => {
    assert.deepEqual(
      reader.manifest.contributes.languageModelTools.map((tool) => ({
        name: tool.name,
        description: tool.modelDescription,
        inputSchema: tool.inputSchema,
      })),
      toolTexts,
    );
  });

  it("can be named in a prompt, each by a name of its own, with an icon and texts for people", () => {
    const { languageModelTools } = reader.manifest.contributes;
    for (const tool of languageModelTools) {
      assert.equal(tool.canBeReferencedInPrompt, true);
      assert.match(tool.toolReferenceName, /^[a-z]+[A-Z][A-Za-z]+$/);
      assert.match(tool.icon, /^\$\([a-z-]+\)$/);
      for (const text of [tool.displayName, tool.userDescription]) assert.match(text, /^%tool\./);
    }
    assert.equal(new Set(languageModelTools.map((tool) => tool.toolReferenceName)).size, names.length);
  });

  it("take every field of git work, and no other", () => {
    const { properties, required, additionalProperties } = schemaOf("enqueueGit");
    const all = [commitInput, pushInput, mergeInput].flatMap((input) => fields(input));
    assert.deepEqual(Object.keys(properties!).sort(), [...new Set(["kind", ...all])].sort());
    // What every kind needs.
    assert.deepEqual(required, ["kind", "worktree"]);
    assert.equal(additionalProperties, false);
  });

  it("take every field of a request, and no other", () => {
    const { items } = schemaOf("enqueueRequests").properties!["requests"]!;
    assert.deepEqual(Object.keys(items!.properties!).sort(), fields(llmRequestInput));
    assert.deepEqual([...items!.required!].sort(), needed(llmRequestInput));
    assert.equal(items!.additionalProperties, false);
  });
});
