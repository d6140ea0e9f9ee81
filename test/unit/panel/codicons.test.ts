import assert from "node:assert/strict";
import { namedIcons } from "../../../codicons.mjs";

const css = `.codicon-close:before { content: "\\ea76" }
.codicon-run-all:before { content: "\\eb9e" }
.codicon-debug-start:before { content: "\\ead3" }
.codicon-debug-pause:before { content: "\\ead1" }
`;
const named = (...sources: string[]): string[] => [...namedIcons(sources, css).keys()].sort();

describe("The icons that are built into the panel", () => {
  it("are those of the table and those that buttons name, in any of their sources", () => {
    assert.deepEqual(
      named(
        '= {\n  close: 0xea76,\n  "run-all": 0xeb9e,\n}',
        '<vscode-button icon="run-all"></vscode-button>',
        '<vscode-button secondary\n icon=${paused ? "debug-start" : "debug-pause"}></vscode-button>',
      ),
      ["close", "debug-pause", "debug-start", "run-all"],
    );
  });

  it("are refused where codicons have no such name, wherever it stands", () => {
    assert.throws(() => named("= {\n  closed: 0xea76,\n}"), /"closed"/);
    assert.throws(() => named('<vscode-button icon="runall">'), /"runall"/);
    assert.throws(() => named('<vscode-button icon-after=${late ? "close" : "shut"}>'), /"shut"/);
  });

  it("are refused with a code point of another icon", () => {
    assert.throws(() => named("= {\n  close: 0xeb9e,\n}"), /"close" has the code point 0xea76/);
  });

  it("are refused where a button does not say which it may be", () => {
    assert.throws(() => named("<vscode-button icon=${this.name}>"), /Write their names there/);
  });
});
