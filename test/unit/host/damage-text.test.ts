import assert from "node:assert/strict";
import { damageText } from "../../../src/host/damage-text.ts";
import { fill } from "../../support/host/translate.ts";

describe("A damaged journal is told of", () => {
  const told = (op: number, ...incomplete: readonly string[]) =>
    damageText({ keptAs: ["/kept", "/kept-wal"], rows: { op }, incomplete }, fill, "en");

  it("as read whole", () => {
    const { severity, message } = told(3);
    assert.equal(severity, "warning");
    assert.match(message, /All of it could be read/);
    assert.match(message, /kept as \/kept\.$/);
  });

  it("with what was taken over, where that may not be all", () => {
    const { severity, message } = told(1234, "result");
    assert.equal(severity, "warning");
    assert.match(message, /taken over: 1,234\./);
  });

  it("as lost, with what to do, where nothing could be read", () => {
    const { severity, message } = told(0, "batch", "op");
    assert.equal(severity, "error");
    assert.match(message, /none of its operations could be read\. Queue again/);
  });
});
