import assert from "node:assert/strict";
import type { Translate } from "../../../src/host/l10n.ts";
import { MessageWords } from "../../../src/host/messages/message-words.ts";
import { messageTemplates, toldMessage } from "../../../src/host/messages/messages.ts";
import { toldSnapshot } from "../../../src/host/panel/told-snapshot.ts";
import { batchErrorText } from "../../../src/host/reason-words.ts";
import { messageTexts, PART } from "../../support/host/message-texts.ts";
import type { Text } from "../../support/host/message-texts.ts";
import { fill, germanTexts } from "../../support/host/translate.ts";
import { composed, unshown } from "../../support/host/unshown-texts.ts";
import { batch, operation, snapshot } from "../../support/panel/snapshots.ts";

describe("What the rooms say in English", function () {
  this.timeout(60_000);
  let german: Translate;
  let texts: readonly Text[];
  const english = messageTemplates((message) => message);

  before(async () => {
    german = await germanTexts();
    texts = await messageTexts();
  });

  it("has German words, whatever room says it and however it is put together", () => {
    const words = new MessageWords([...english, PART], [...messageTemplates(german), PART]);
    const parts = new Set(composed.flatMap(({ parts: own }) => own));
    const patterns = Object.values(unshown).flat();
    const left = texts.filter(
      ({ text }) =>
        words.say(text) === undefined && !parts.has(text) && !patterns.some((pattern) => pattern.test(text)),
    );
    assert.ok(texts.length > 300, "the texts of the rooms were found");
    assert.deepEqual(left, []);
    const wholes = composed.flatMap(({ whole }) => whole);
    assert.deepEqual(
      wholes.filter((whole) => toldMessage(whole, german) === undefined),
      [],
    );
  });

  it("is left out of that for a reason that still holds", () => {
    const said = new Set(texts.map(({ text }) => text));
    const parts = composed.flatMap(({ parts: own }) => own);
    assert.deepEqual(
      parts.filter((part) => !said.has(part)),
      [],
    );
    const idle = Object.values(unshown)
      .flat()
      .filter((pattern) => !texts.some(({ text }) => pattern.test(text)));
    assert.deepEqual(idle, []);
  });

  it("is told with its particulars, and git's own words as they are", () => {
    const told = (message: string): string | undefined => toldMessage(message, german);
    assert.equal(
      told("src/a b.ts changed on main since it was queued; queue it again from the worktree"),
      "src/a b.ts hat sich auf main geändert, seit dies eingereiht wurde; aus dem Worktree neu einreihen",
    );
    assert.equal(
      told(
        "merged, but not pushed: the remote refused main (pre-receive hook declined): not on Fridays\nsorry",
      ),
      "gemergt, aber nicht gepusht: das Remote hat main abgelehnt (pre-receive hook declined): not on Fridays\nsorry",
    );
    assert.equal(
      told("files: src/x is a folder; name the files in it"),
      "files: src/x ist ein Ordner; die Dateien darin nennen",
    );
    assert.equal(
      told(
        "file: has 2 bad lines, so nothing was queued; mend them or set skipBad. Lines:\n3: is not JSON: Unexpected token\n9: params.model: must be a model id, but is empty",
      ),
      "file: hat 2 fehlerhafte Zeilen, daher wurde nichts eingereiht; beheben oder skipBad setzen. Zeilen:\n3: ist kein JSON: Unexpected token\n9: params.model: muss die Kennung eines Modells sein, ist aber leer",
    );
    assert.equal(told("something that no room says"), undefined);
    assert.equal(toldMessage("something that no room says", fill), "something that no room says");
  });

  it("is told so of a batch that waits for another attempt, without the reason's word", () => {
    assert.equal(batchErrorText("no-connection: No connection", german), "Keine Verbindung");
    assert.equal(
      batchErrorText("rate-limit: Too many requests", german),
      "Der Anbieter nimmt im Moment keine weiteren Anfragen an. („Too many requests“)",
    );
  });

  it("reaches the panel in the reader's language", () => {
    const failed = operation(1, {
      status: "failed",
      reason: "conflict",
      error: "a conflicts with b in c.ts",
    });
    const error = "a part of the batch was not sent yet";
    const told = toldSnapshot(snapshot({ git: { executed: [batch(1, [failed], { error })] } }), german);
    const [shown] = told.git.executed;
    assert.equal(shown?.operations[0]?.error, "a steht in c.ts mit b in Konflikt");
    assert.equal(shown.error, "ein Teil des Batches ist noch nicht gesendet");
  });
});
