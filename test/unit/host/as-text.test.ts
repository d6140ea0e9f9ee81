import assert from "node:assert/strict";
import { asText, withoutLinks } from "../../../src/host/ui/as-text.ts";

/** As the editor looks for links in messages, and for icons in what else it shows. */
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
const icon = /(\\)?\$\([a-z0-9]+(?:-[a-z0-9]+)*(?:~[a-z]+)?\)/i;
/** What is seen of a text. */
const seen = (text: string): string => text.replaceAll("\u200b", "");

describe("Texts from outside", () => {
  const links = [
    "../[Continue](command:workbench.action.showCommands)",
    '[a](https://example.test/x "title") and [b](http://example.test)',
    "[[a](file:///etc/passwd)]",
    "[click\nme](COMMAND:x)[again](Command:y)",
    "[](command:x)[x](command:y?%5B1%5D)",
  ];
  const icons = [
    "src/$(trash) a.js",
    "\\$(bell)",
    "$(sync~spin)$(flame)",
    "$$(bell)",
    "$($(bell))",
    "$(A-1)",
  ];

  it("hold no link for the editor, and look the same", () => {
    for (const text of [...links, ...links.map((one) => `Left out ${one}: because.`)]) {
      assert.match(text, link, "it would have been one");
      assert.doesNotMatch(withoutLinks(text), link);
      assert.equal(seen(withoutLinks(text)), text);
    }
  });

  it("hold no icon either where the editor draws some", () => {
    for (const text of icons) {
      assert.match(text, icon, "it would have been one");
      assert.doesNotMatch(asText(text), icon);
      assert.equal(seen(asText(text)), text);
    }
    for (const text of links) assert.doesNotMatch(asText(text), link);
  });

  it("are left as they are where there is neither", () => {
    for (const text of ["", "a.js", "[x] (y) $ (z) $HOME {0}", "price: $5 (each)", "C:\\a\\b", "हिन्दी नमस्ते"])
      assert.equal(asText(text), text);
  });
});
