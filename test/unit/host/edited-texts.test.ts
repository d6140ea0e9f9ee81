import assert from "node:assert/strict";
import { v7 } from "uuid";
import { EditedTexts } from "../../../src/host/edited-texts.ts";
import type { TextField } from "../../../src/host/ui/edit-flow.ts";
import { fill } from "../../support/host/translate.ts";

const id = v7();
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Two windows on one queue. */
function desk(field: TextField = "prompt") {
  const queue = new Map([[id, "first"]]);
  const deps = {
    read: (of: string) => {
      const text = queue.get(of);
      return text === undefined ? Promise.reject(new Error("none")) : Promise.resolve(text);
    },
    save: (of: string, _field: TextField, text: string) => {
      if (text === "") return Promise.reject(new Error("may not be empty"));
      queue.set(of, text);
      return Promise.resolve();
    },
    t: fill,
  };
  const place = { id, field };
  const window = () => {
    const texts = new EditedTexts(deps);
    return {
      open: async () => new TextDecoder().decode(await texts.open(place)),
      save: (text: string | Uint8Array) => texts.save(place, typeof text === "string" ? bytes(text) : text),
      size: () => texts.size(place),
    };
  };
  return { one: window(), two: window(), queued: () => queue.get(id), end: () => queue.delete(id) };
}

const elsewhere = /changed elsewhere after it was opened here, so nothing was saved\. Copy .* Revert File/;

describe("The text of a queued operation in an editor", () => {
  it("keeps every character, on the way there and back", async () => {
    const { one, queued } = desk();
    await one.open();
    await one.save("Prüfe ä € こ 🙂\r\n");
    assert.equal(queued(), "Prüfe ä € こ 🙂\r\n");
    assert.equal(await one.open(), "Prüfe ä € こ 🙂\r\n");
    assert.equal(await one.size(), 24);
  });

  it("is not saved from another encoding, which would change its characters", async () => {
    const { one, queued } = desk();
    await one.open();
    await assert.rejects(
      one.save(Buffer.from("Prüfe", "latin1")),
      /did not come as UTF-8.*Save with Encoding/,
    );
    assert.equal(queued(), "first");
  });

  it("is not overwritten where another window saved it since, until it is read again", async () => {
    const { one, two, queued } = desk();
    await one.open();
    await two.open();
    await two.save("second");
    await one.size();
    await assert.rejects(one.save("mine"), elsewhere);
    assert.equal(queued(), "second");
    await assert.rejects(one.save("mine"), elsewhere, "asking twice is no consent");
    await two.save("third");
    assert.equal(await one.open(), "third");
    await one.save("mine");
    assert.equal(queued(), "mine");
    await assert.rejects(two.save("again"), elsewhere);
  });

  it("can be saved again and again by the window that saved it last, also after a refusal", async () => {
    const { one, queued } = desk("message");
    await one.open();
    await one.save("two\n");
    await one.save("three\n");
    await assert.rejects(one.save("\n"), /may not be empty/);
    await one.save("four\n");
    assert.equal(queued(), "four");
  });

  it("is not overwritten by a window that does not know what it had read", async () => {
    const { one, queued } = desk();
    await assert.rejects(one.save("mine"), elsewhere);
    assert.equal(queued(), "first");
    await one.save("first");
  });

  it("is not saved where the operation has gone", async () => {
    const { one, end } = desk();
    await one.open();
    end();
    await assert.rejects(one.save("mine"), /none/);
  });
});
