import assert from "node:assert/strict";
import { lostCharacters } from "../../../../src/host/results/lost-characters.ts";

describe("A text that was read from a file", () => {
  const read = (bytes: Uint8Array): boolean => lostCharacters(new TextDecoder().decode(bytes), bytes);

  it("lacks characters where it is in another encoding than it was taken for", () => {
    assert.equal(read(Buffer.from("café\n", "latin1")), true);
    assert.equal(read(Buffer.from([0xff, 0xfe, 0x61, 0x00])), true);
  });

  it("lacks none where it was read as what it is, also where it shows a replacement itself", () => {
    assert.equal(read(Buffer.from("café \ufffd\n")), false);
    assert.equal(lostCharacters("café\n", Buffer.from("café\n", "latin1")), false);
  });
});
