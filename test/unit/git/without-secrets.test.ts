import assert from "node:assert/strict";
import { withoutSecrets } from "../../../src/git/remotes.ts";

describe("git: addresses without their secrets", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["https://bob:secret@host/x.git", "https://host/x.git"],
    ["https://bob:se@cret@host/x.git", "https://host/x.git"],
    [
      "fatal: https://a:b@h/x and git+ssh://u@h:22/y failed",
      "fatal: https://h/x and git+ssh://h:22/y failed",
    ],
    ["https://host/x@y", "https://host/x@y"],
    ["git@host:x.git, bob@example.org", "git@host:x.git, bob@example.org"],
  ];
  for (const [text, masked] of cases)
    it(`of ${JSON.stringify(text)}`, () => assert.equal(withoutSecrets(text), masked));

  // A remote's words are as long as it likes; work that grows with their square would stop the window for a minute.
  it("of one word as long as what a remote may print", () => {
    const word = "a".repeat(256 * 1024);
    assert.equal(withoutSecrets(`${word} https://a:b@h/x`), `${word} https://h/x`);
  }).timeout(20_000);
});
